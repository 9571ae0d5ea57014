import type { Page } from '@playwright/test';
import { violations as found, WCAG } from './axe';
import { expect, type Lab, test } from './fixtures';

/** Rules about colours: all others have the same verdict in the light and in the dark. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Nine threads in two lanes that differ. */
const NINE = 'v=2&x=bfs-smt&k=9&s=ule:11.1,bfs&t=400';
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

async function inTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
}

/** Axe finds nothing on the page as it is, light and dark. */
const clean = (page: Page, state: string) =>
  test.step(`axe finds nothing ${state}`, async () => {
    await inTheme(page, 'dark');
    expect.soft(await found(page, { rules: OF_COLOURS }), `${state}, dark`).toEqual([]);
    await inTheme(page, 'light');
    expect.soft(await found(page, { tags: WCAG }), state).toEqual([]);
  });

test('axe finds nothing in the laboratory', async ({ lab, page }) => {
  await lab.open();
  await test.step('axe finds violations, and only in the requested part', async () => {
    await page.evaluate(() => {
      const bad = document.createElement('p');
      bad.id = 'bad';
      bad.append(document.createElement('button'));
      document.querySelector('main')?.append(bad);
    });
    const all = await found(page, { tags: WCAG });
    expect(all.join()).toMatch(/^button-name: #bad > button .*title attribute/s);
    expect(await found(page, { part: '#bad', rules: ['button-name'] })).toHaveLength(1);
    expect(await found(page, { part: 'header', rules: ['button-name'] })).toEqual([]);
    await page.evaluate(() => document.querySelector('#bad')?.remove());
  });
  await clean(page, 'at the start');

  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
  await clean(page, 'where the page is shared');
  await page.keyboard.press('Escape');

  const play = page.getByRole('button', { name: 'Play', exact: true });
  await play.click();
  await clean(page, 'while playing');
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(play).toBeVisible();

  await page.getByRole('button', { name: 'Tables' }).click();
  await lab.panel('Setup');
  for (const name of ['Groups and behaviour', 'Background and seed'])
    await page.getByText(name).click();
  await page.getByRole('application', { name: 'Machine of BFS' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await lab.idle();
  await clean(page, 'with everything open');
});

test('axe finds nothing where machines are chosen and edited', async ({ lab, page }) => {
  await lab.open('v=1&x=bfs-smt&m=k8x4');
  await lab.panel('Setup');
  await page.getByRole('button', { name: /^Machine: / }).click();
  await clean(page, 'among the machines');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Make it mine…' }).click();
  await lab.type('Contexts per core (SMT)', '0');
  for (const name of ['Distances between', 'Direct costs', 'Clock, cores', 'Clusters, kind'])
    await page.getByText(name).first().click();
  await clean(page, 'in the editor of a machine');
});

test('axe finds nothing with nine threads, whatever is open', async ({ lab, page }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  await lab.open(NINE);
  await lab.panel('Setup');
  await lab.panel('Inspect');
  await clean(page, 'with Setup and Inspect open');
  for (const name of ['Setup', 'Inspect'])
    await page.getByRole('button', { name: `Close ${name}` }).click();

  await page.setViewportSize(DESK);
  await page.keyboard.press('/');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.type('nice');
  await clean(page, 'in the search');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await clean(page, 'on the sheet of keys');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.locator('.shares button').first().click();
  await page.keyboard.press('t');
  await expect(page.getByRole('region', { name: 'Change this thread' })).toBeVisible();
  await lab.idle();
  await clean(page, 'with the card of a thread');
  await page.getByRole('button', { name: 'Close Inspect' }).click();

  await page.setViewportSize({ width: 1024, height: 768 });
  await page.keyboard.press('p');
  await expect(page.getByRole('region', { name: 'Presentation' })).toBeVisible();
  await lab.idle();
  await clean(page, 'while presenting');
});

/** Other places of the page: name, size, fragment, and what to do there. */
const PLACES: readonly (readonly [
  string,
  typeof DESK,
  string,
  (lab: Lab, page: Page) => Promise<unknown>,
])[] = [
  ['at Start', DESK, '', () => Promise.resolve()],
  ['on a phone at Start', PHONE, '', () => Promise.resolve()],
  ['in a page of others', { width: 800, height: 450 }, `${NINE}&embed=1`, () => Promise.resolve()],
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
      await page.locator('#claim-S1a > summary').click();
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

test('axe finds nothing in other places of the page', async ({ lab, page }) => {
  for (const [name, size, fragment, act] of PLACES) {
    await page.setViewportSize(size);
    if (fragment === '') await lab.start();
    else await lab.open(fragment);
    await act(lab, page);
    await clean(page, name);
  }
});

test('on a phone the menu works by keys, and axe finds nothing', async ({ lab, page }) => {
  await page.setViewportSize(PHONE);
  await lab.open(NINE);
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
  await expect(page.getByRole('link', { name: 'Replications' })).toBeVisible();
  await clean(page, 'with the menu open');
  await share.click();
  await expect(page.getByRole('dialog', { name: 'Share' })).toBeVisible();
  await expect(page.getByRole('dialog').getByLabel(/^Link, \d+ characters$/)).toBeVisible();
});

test('everything can be done with the keyboard', async ({ lab, page }) => {
  await lab.open();
  const machine = page.getByRole('application', { name: 'Machine of BFS' });
  const selected = page.getByRole('region', { name: 'Selected thread' });

  await test.step('the table has the content of the picture', async () => {
    const table = page.getByRole('table', { name: 'Threads of BFS' });
    await expect(table.getByRole('row')).toHaveCount(5);
    await expect(table.getByRole('row').nth(1)).toContainText(/runs on cpu \d|waits/);
  });

  await test.step('a thread of a machine is selected', async () => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      if (await machine.evaluate((el) => el === document.activeElement)) break;
    }
    await expect(machine).toBeFocused();
    await page.keyboard.press('Home');
    for (let tries = 1; tries <= 12 && (await selected.count()) === 0; tries++) {
      await page.keyboard.press('Enter');
      await lab.idle();
      if ((await selected.count()) > 0) break;
      await page.keyboard.press('ArrowRight');
      if (tries % 3 === 0) await page.keyboard.press('ArrowDown');
    }
    await expect(selected).toBeVisible();
  });

  await test.step('why is asked, and the rule, the function and its line are named', async () => {
    const why = page.getByRole('region', { name: 'Why?' });
    await why.getByRole('button').first().press('Enter');
    await lab.idle();
    await expect(why.locator('article')).toHaveCount(1);
    await expect(why.locator('article code')).toContainText('@');
  });

  await test.step('time goes on, and events are announced', async () => {
    await machine.focus();
    const before = await lab.now();
    await page.keyboard.press('.');
    await lab.idle();
    expect(await lab.now()).toBeGreaterThan(before);
    await page.keyboard.press(' ');
    await expect.poll(() => lab.now()).toBeGreaterThan(before + 10_000_000);
    const status = page.locator('[role="status"][aria-live="polite"]').first();
    await expect(status).toHaveText(/BFS: \d+ move/);
    await page.keyboard.press(' ');
    await lab.idle();
  });

  await test.step('help opens and closes', async () => {
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  await test.step('each machine is one tab stop: the next Tab leaves it', async () => {
    await machine.focus();
    await page.keyboard.press('Tab');
    await expect(machine).not.toBeFocused();
  });

  for (const name of ['Setup'] as const)
    await test.step(`${name} is moved without dragging`, async () => {
      await lab.panel(name);
      const card = page.getByRole('complementary', { name, exact: true });
      const at = async () => (await card.boundingBox())?.x ?? NaN;
      const before = await at();
      const move = card.getByRole('button', { name: `Move ${name}` });
      await move.press('Enter');
      await expect.poll(async () => Math.abs((await at()) - before)).toBeGreaterThan(400);
      const there = await at();
      await move.press(there < before ? 'ArrowRight' : 'ArrowLeft');
      await expect.poll(async () => Math.abs((await at()) - there)).toBe(32);
      await page.keyboard.press('Escape');
      await expect(card).toHaveCount(0);
    });
});
