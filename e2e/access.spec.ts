import type { Page } from '@playwright/test';
import { violations as found, WCAG } from './axe';
import { expect, type Lab, test } from './fixtures';

const violations = (page: Page) => found(page, { tags: WCAG });

test('axe finds violations, and only in the requested part', async ({ lab, page }) => {
  await lab.open();
  await page.evaluate(() => {
    const bad = document.createElement('p');
    bad.id = 'bad';
    bad.append(document.createElement('button'));
    document.querySelector('main')?.append(bad);
  });
  expect((await violations(page)).join()).toMatch(/^button-name: #bad > button .*title attribute/s);
  expect(await found(page, { part: '#bad', rules: ['button-name'] })).toHaveLength(1);
  expect(await found(page, { part: 'header', rules: ['button-name'] })).toEqual([]);
});

test('axe finds nothing at the start', async ({ lab, page }) => {
  await lab.open();
  expect(await violations(page)).toEqual([]);
});

test('axe finds nothing in the dark', async ({ lab, page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await lab.open();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await violations(page)).toEqual([]);
});

test('axe finds nothing while playing', async ({ lab, page }) => {
  await lab.open();
  await page.getByRole('button', { name: 'Play' }).click();
  expect(await violations(page)).toEqual([]);
});

test('axe finds nothing with everything open', async ({ lab, page }) => {
  await lab.open();
  await page.getByRole('button', { name: 'Tables' }).click();
  await lab.panel('Setup');
  for (const name of ['Groups and behaviour', 'Background and seed'])
    await page.getByText(name).click();
  await page.getByRole('application', { name: 'Machine of BFS' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await lab.idle();
  expect(await violations(page)).toEqual([]);
});

test('axe finds nothing where machines are chosen and edited', async ({ lab, page }) => {
  await lab.open('v=1&x=bfs-smt&m=k8x4');
  await lab.panel('Setup');
  await page.getByRole('button', { name: /^Machine: / }).click();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Make it mine…' }).click();
  await lab.type('Contexts per core (SMT)', '0');
  for (const name of ['Distances between', 'Direct costs', 'Clock, cores', 'Clusters, kind'])
    await page.getByText(name).first().click();
  expect(await violations(page)).toEqual([]);
});

/** Nine threads in two lanes that differ. */
const NINE = 'v=2&x=bfs-smt&k=9&s=ule:11.1,bfs&t=400';
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** States of the page: the size, the panel to open, the button to press there. */
const STATES: readonly (readonly [
  string,
  typeof DESK,
  string,
  (lab: Lab, page: Page) => Promise<unknown>,
])[] = [
  ['at Start', DESK, '', () => Promise.resolve()],
  [
    'with Setup and Inspect open',
    { width: 1600, height: 900 },
    NINE,
    async (lab) => {
      await lab.panel('Setup');
      await lab.panel('Inspect');
    },
  ],
  [
    'with the card of a thread',
    DESK,
    NINE,
    async (lab, page) => {
      await page.locator('.shares button').first().click();
      await page.keyboard.press('t');
      await expect(page.getByRole('region', { name: 'Change this thread' })).toBeVisible();
      await lab.idle();
    },
  ],
  [
    'in the search',
    DESK,
    NINE,
    async (_, page) => {
      await page.keyboard.press('/');
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.keyboard.type('nice');
    },
  ],
  [
    'where the page is shared',
    DESK,
    's.bfs-smt',
    async (_, page) => {
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
    },
  ],
  [
    'on the sheet of keys',
    DESK,
    NINE,
    async (_, page) => {
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
    },
  ],
  [
    'while presenting',
    { width: 1024, height: 768 },
    NINE,
    async (lab, page) => {
      await page.keyboard.press('p');
      await lab.idle();
    },
  ],
  ['in a page of others', { width: 800, height: 450 }, `${NINE}&embed=1`, () => Promise.resolve()],
  [
    'on a phone, with its menu',
    PHONE,
    NINE,
    async (_, page) => {
      await page.getByRole('button', { name: 'Menu' }).click();
      await expect(page.getByRole('link', { name: 'Replications' })).toBeVisible();
    },
  ],
  ['on a phone at Start', PHONE, '', () => Promise.resolve()],
  [
    'in the gallery',
    DESK,
    'r=',
    (_, page) => expect(page.getByText(/reproduced/).first()).toBeVisible(),
  ],
  [
    'on the page of a replication',
    DESK,
    'r=s1',
    async (_, page) => {
      await expect(page.getByRole('region', { name: 'Chart' }).getByRole('img')).toBeVisible();
      await page.locator('#claim-S1a summary').click();
      await page.getByRole('button', { name: 'As a table' }).click();
    },
  ],
  [
    'among all numbers, on a phone',
    PHONE,
    'r=numbers',
    (_, page) => expect(page.getByRole('region', { name: 'Numbers of S1' })).toBeVisible(),
  ],
];

for (const [name, size, fragment, act] of STATES)
  test(`axe finds nothing ${name}, light and dark`, async ({ lab, page }) => {
    await page.setViewportSize(size);
    if (fragment === '') await lab.start();
    else await lab.open(fragment);
    await act(lab, page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      expect(await violations(page), colorScheme).toEqual([]);
    }
  });

test('the menu of a phone works by keys, and its panels are visible', async ({ lab, page }) => {
  await page.setViewportSize(PHONE);
  await lab.open();
  const bar = await page.getByRole('banner').boundingBox();
  expect(bar?.height).toBeLessThan(60);
  const menu = page.getByRole('button', { name: 'Menu' });
  const share = page.getByRole('button', { name: 'Share', exact: true });
  await expect(share).toBeHidden();
  await menu.focus();
  await page.keyboard.press('Enter');
  await expect(share).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(share).toBeHidden();
  await expect(menu).toBeFocused();
  await menu.click();
  await share.click();
  await expect(page.getByRole('dialog', { name: 'Share' })).toBeVisible();
  await expect(page.getByRole('dialog').getByLabel(/^Link, \d+ characters$/)).toBeVisible();
});

test('everything can be done with the keyboard', async ({ lab, page }) => {
  await lab.open();
  // Into the first machine, to a thread, select it.
  const machine = page.getByRole('application', { name: 'Machine of BFS' });
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    if (await machine.evaluate((el) => el === document.activeElement)) break;
  }
  await expect(machine).toBeFocused();
  await page.keyboard.press('Home');
  let tries = 0;
  while (
    (await page.getByRole('region', { name: 'Selected thread' }).count()) === 0 &&
    tries++ < 12
  ) {
    await page.keyboard.press('Enter');
    await lab.idle();
    if ((await page.getByRole('region', { name: 'Selected thread' }).count()) === 0)
      await page.keyboard.press('ArrowRight');
    if (tries % 3 === 0) await page.keyboard.press('ArrowDown');
  }
  await expect(page.getByRole('region', { name: 'Selected thread' })).toBeVisible();
  // Time.
  const before = await lab.now();
  await page.keyboard.press('.');
  await lab.idle();
  expect(await lab.now()).toBeGreaterThan(before);
  await page.keyboard.press(' ');
  await expect.poll(() => lab.now()).toBeGreaterThan(before + 10_000_000);
  await page.keyboard.press(' ');
  await lab.idle();
  // Help opens and closes.
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  // Each machine is one tab stop: the next Tab leaves it.
  await machine.focus();
  await page.keyboard.press('Tab');
  await expect(machine).not.toBeFocused();
});

test('asking why names the rule, the operands and the function of the kernel', async ({
  lab,
  page,
}) => {
  await lab.open();
  await page.getByRole('button', { name: 'Inspect', exact: true }).click();
  const why = page.getByRole('region', { name: 'Why?' });
  const first = why.getByRole('button').first();
  await first.click();
  await lab.idle();
  await expect(why.locator('article')).toHaveCount(1);
  await expect(why.locator('article code')).toContainText('@');
});

test('events are announced while time runs, at most once in two seconds', async ({ lab, page }) => {
  await lab.open();
  await page.evaluate(() => {
    const region = document.querySelector('[role="status"][aria-live="polite"]');
    if (!region) throw new Error('nothing is told');
    const told: [number, string][] = [];
    Object.assign(window, { told });
    new MutationObserver(() => {
      told.push([performance.now(), region.textContent]);
    }).observe(region, { childList: true, characterData: true, subtree: true });
  });
  await page.keyboard.press('Space');
  const told = () => page.evaluate(() => (window as unknown as { told: [number, string][] }).told);
  await expect
    .poll(async () => (await told()).filter(([, text]) => /BFS: \d+ move/.test(text)).length)
    .toBeGreaterThan(1);
  await page.keyboard.press('Space');
  const times = (await told()).map(([ms]) => ms);
  for (const [i, ms] of times.slice(1).entries())
    expect(ms - (times[i] ?? 0)).toBeGreaterThan(1990);
});

test('the table has the content of the picture', async ({ lab, page }) => {
  await lab.open();
  const table = page.getByRole('table', { name: 'Threads of BFS' });
  await expect(table.getByRole('row')).toHaveCount(5);
  await expect(table.getByRole('row').nth(1)).toContainText(/runs on cpu \d|waits/);
});

test('Setup and Inspect are moved without dragging', async ({ lab, page }) => {
  await lab.open();
  for (const name of ['Setup', 'Inspect'] as const) {
    await lab.panel(name);
    const card = page.getByRole('complementary', { name, exact: true });
    const at = async () => (await card.boundingBox())?.x ?? NaN;
    const before = await at();
    const move = card.getByRole('button', { name: `Move ${name}` });
    await move.click();
    await expect.poll(async () => Math.abs((await at()) - before)).toBeGreaterThan(400);
    const there = await at();
    const toMiddle = there < before ? 'ArrowRight' : 'ArrowLeft';
    await move.press(toMiddle);
    await expect.poll(async () => Math.abs((await at()) - there)).toBe(32);
    await page.keyboard.press('Escape');
    await expect(card).toHaveCount(0);
  }
});
