/** Start, the search, the places with their addresses, and short links. */
import { violations, WCAG } from './axe';
import { expect, type Lab, test } from './fixtures';

const heading = (lab: Lab) => lab.page.getByRole('heading', { name: 'Who runs next, and why?' });
const search = (lab: Lab) => lab.page.getByRole('dialog', { name: 'Search' });
const hash = (lab: Lab) => new URL(lab.page.url()).hash;

test('without a link the page opens at Start, with no scenario open', async ({ lab, page }) => {
  await lab.start();
  await expect(heading(lab)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Start', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expect(page.getByRole('region', { name: 'Scenarios' }).getByRole('link')).toHaveCount(8);
  await expect(page.getByRole('region', { name: 'Replications' }).getByRole('link')).toHaveCount(4);
  await expect(page.getByRole('region', { name: 'Your work' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toHaveCount(0);
  expect(hash(lab)).toBe('');
  // No list changes the open scenario.
  await expect(page.getByRole('combobox', { name: 'Scenario' })).toHaveCount(0);
});

test('a card opens with three keys at most', async ({ lab, page }) => {
  for (const [fragment, keys] of [
    ['#l1.1', ['Enter']],
    ['#l2.1', ['ArrowRight', 'Enter']],
    ['#l1.1', ['ArrowRight', 'ArrowLeft', 'Enter']],
  ] as const) {
    await page.evaluate(() => {
      if (location.protocol !== 'about:') localStorage.clear();
    });
    await lab.start();
    await expect(page.locator('.card[href="#l1.1"]')).toBeFocused();
    for (const key of keys) await page.keyboard.press(key);
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
    await lab.idle();
    expect(hash(lab)).toBe(fragment);
  }
});

test('arrow keys walk over all shelves and open nothing', async ({ lab, page }) => {
  await lab.start();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href'));
  await expect(page.getByRole('region', { name: 'Replications' })).toBeVisible();
  await expect.poll(focused).toBe('#l1.1');
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toBe('#s.bfs-smt');
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toMatch(/^#l/);
  await page.keyboard.press('ArrowDown');
  const below = await focused();
  expect(below).toMatch(/^#s\./);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toMatch(/^#r=/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toBe(below);
  await expect(heading(lab)).toBeVisible();
});

test('the search opens anywhere with / and opens nothing before Enter', async ({ lab, page }) => {
  await lab.start();
  await page.keyboard.press('/');
  const box = search(lab).getByRole('combobox', { name: 'Search' });
  await expect(box).toBeFocused();
  await page.keyboard.type('nice');
  const rows = search(lab).getByRole('option');
  await expect(rows.first()).toContainText(/nice/i);
  await expect(search(lab).getByText(/^\d+ found$/)).not.toHaveText('0 found');
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(search(lab)).toBeHidden();
  await expect(heading(lab)).toBeVisible();

  // The same in the laboratory, where no arrow key changes the scenario.
  await lab.open('s.s0-xeon');
  await page.keyboard.press('/');
  await page.keyboard.type('wong 2011');
  await page.keyboard.press('ArrowDown');
  await lab.idle();
  expect(hash(lab)).toBe('#s.s0-xeon');
  await box.fill('512 opteron');
  await expect(rows.first()).toContainText('Scenario');
  await page.keyboard.press('Enter');
  await expect(lab.scenario()).toContainText('512 threads');
  await lab.idle();
  expect(hash(lab)).toBe('#s.s2c-512-threads');
});

test('the search finds schedulers, machines, authors and terms', async ({ lab, page }) => {
  await lab.open('s.bfs-smt');
  await page.getByRole('button', { name: /^Scenario:/ }).click();
  const box = search(lab).getByRole('combobox', { name: 'Search' });
  for (const [query, kind] of [
    ['yield ule', 'Scenario'],
    ['sun fire', 'Scenario'],
    ['roberson', 'Replication'],
    ['sibling: the other', 'Term'],
  ] as const) {
    await box.fill(query);
    await expect(
      search(lab)
        .getByRole('option')
        .filter({ has: page.getByText(kind, { exact: true }) }),
      query,
    ).not.toHaveCount(0);
  }
  await box.fill('no such thing');
  await expect(search(lab).getByText('Nothing has all these words.')).toBeVisible();
});

test('Start, laboratory and replications are entries of the history', async ({ lab, page }) => {
  await lab.start();
  await page.locator('.card[href="#s.bfs-smt"]').click();
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await lab.idle();
  await lab.step('event');
  const left = { now: await lab.now(), digests: await lab.digests() };
  await page.getByRole('link', { name: 'Replications', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Replications' })).toBeVisible();
  await page.getByRole('link', { name: 'Start', exact: true }).click();
  await expect(heading(lab)).toBeVisible();
  expect(hash(lab)).toBe('#start');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Replications' })).toBeVisible();
  await page.goBack();
  // As it was left, not started again.
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await lab.idle();
  expect({ now: await lab.now(), digests: await lab.digests() }).toEqual(left);
  await page.goBack();
  await expect(heading(lab)).toBeVisible();
});

test('a card opens the scenario at its opening, however it was changed before', async ({
  lab,
  page,
}) => {
  await lab.open('s.s0-v890');
  const opened = await lab.now();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => lab.now()).toBeGreaterThan(opened);
  // The address bar lags while time runs.
  await page.keyboard.press('h');
  const card = page.locator('.card[href="#s.s0-v890"]');
  await expect(card).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await lab.idle();
  expect(await lab.now()).toBe(opened);
});

test('an unchanged scenario has a short link as long as it is at its opening', async ({
  lab,
  page,
}) => {
  await lab.open('s.bfs-smt');
  expect(hash(lab)).toBe('#s.bfs-smt');
  const opened = { now: await lab.now(), digests: await lab.digests() };
  await lab.step('event');
  await expect.poll(() => hash(lab)).toMatch(/^#v=2&x=bfs-smt&t=/);
  await page.evaluate((ns) => window.__sim.seek(ns), opened.now);
  await lab.idle();
  await expect.poll(() => hash(lab)).toBe('#s.bfs-smt');
  await lab.type('Processes', '5');
  await expect.poll(() => hash(lab)).toMatch(/^#v=2&x=bfs-smt&/);
  await lab.open('bfs-smt');
  expect({ now: await lab.now(), digests: await lab.digests() }).toEqual(opened);
});

test('the code of a scenario can be scanned from the last row', async ({ lab, page }) => {
  await lab.open('s.bfs-smt');
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByLabel(/^Link, \d+ characters$/)).toHaveValue(/#s\.bfs-smt$/);
  const code = page.getByRole('img', { name: 'QR code of the link', exact: true });
  const cells = async (svg: typeof code) => {
    const size = Number((await svg.getAttribute('viewBox'))?.split(' ')[2]);
    return ((await svg.boundingBox())?.width ?? 0) / size;
  };
  expect(await cells(code)).toBeGreaterThanOrEqual(12);
  await page.keyboard.press('f');
  const large = page.getByRole('img', { name: 'QR code of the link, large' });
  await expect(large).toBeVisible();
  expect((await large.boundingBox())?.height).toBeGreaterThanOrEqual(0.8 * 800 - 1);
  await page.keyboard.press('Escape');
  await expect(large).toBeHidden();
  await expect(code).toBeVisible();
});

test('the empty laboratory is a new piece of work', async ({ lab, page }) => {
  await lab.start();
  await page.getByRole('button', { name: 'Empty laboratory' }).click();
  await expect(lab.scenario()).toHaveText('Empty laboratory');
  await lab.idle();
  await expect(lab.lanes()).toHaveCount(2);
  await lab.type('Processes', '3');
  await page.goBack();
  const card = lab.work('Empty laboratory');
  await expect(card).toBeVisible();
  await card.click();
  await expect(page.getByRole('spinbutton', { name: 'Processes', exact: true })).toHaveValue('3');
});

test('the drawing runs, can be paused, and stands still with reduced motion', async ({
  lab,
  page,
}) => {
  const caption = page.getByRole('figure').locator('figcaption span').first();
  const time = page.getByRole('figure').locator('.time');
  await lab.start();
  await expect(caption).toHaveText(/ share core | cores busy$/);
  const before = await time.textContent();
  await expect(time).not.toHaveText(before ?? '');
  await page.getByRole('button', { name: 'Pause the drawing' }).click();
  await expect(page.getByRole('button', { name: 'Play the drawing' })).toBeVisible();
  /** The time now, and after as many frames as would change it. */
  const stands = async () => {
    const now = await time.textContent();
    await page.evaluate(async () => {
      for (let i = 0; i < 20; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
    });
    return now === (await time.textContent());
  };
  await expect.poll(stands).toBe(true);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await lab.start();
  await expect(caption).toHaveText(/ share core | cores busy$/);
  await expect(page.getByRole('button', { name: 'Pause the drawing' })).toHaveCount(0);
});

for (const scheme of ['light', 'dark'] as const)
  test(`axe finds nothing at Start and in the search, ${scheme}`, async ({ lab, page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await lab.start();
    await expect(page.getByRole('region', { name: 'Replications' })).toBeVisible();
    expect(await violations(page, { tags: WCAG })).toEqual([]);
    await page.keyboard.press('/');
    await expect(search(lab)).toBeVisible();
    await page.keyboard.type('core');
    expect(await violations(page, { tags: WCAG })).toEqual([]);
  });

test('a phone shows Start and the search without scrolling sideways', async ({ lab, page }) => {
  for (const [width, height] of [
    [390, 844],
    [320, 700],
  ] as const) {
    await page.setViewportSize({ width, height });
    await lab.start();
    await expect(page.getByRole('region', { name: 'Replications' })).toBeVisible();
    const overflow = () =>
      page.evaluate(() => {
        const start = document.querySelector('.start');
        return Math.max(
          document.documentElement.scrollWidth - document.documentElement.clientWidth,
          (start?.scrollWidth ?? 0) - (start?.clientWidth ?? 0),
        );
      });
    expect(await overflow()).toBe(0);
    await page.getByRole('button', { name: /^Search/ }).click();
    await expect(search(lab)).toBeVisible();
    expect(await overflow()).toBe(0);
  }
});

test('hostile names of kept work stay text', async ({ lab, page }) => {
  const evil = '"><img src=x onerror="window.__hacked=1">';
  const scenario = {
    version: 1,
    name: evil,
    machine: 'i7860',
    schedulers: [{ id: 'bfs' }],
    groups: [{ name: 'a', count: 2, behaviour: { kind: 'dhrystone' } }],
    end: { atNs: 1_000_000_000 },
  };
  await lab.open();
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, JSON.stringify(scenario));
  await expect(lab.scenario()).toHaveText(evil);
  await lab.idle();
  await page.keyboard.press('h');
  await expect(lab.work(evil)).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('onerror');
  // All of it is kept, although the search had to be loaded first.
  await expect(search(lab).getByRole('option')).toContainText(evil);
  await expect(page.locator('img, [onerror]')).toHaveCount(0);
  expect(await page.evaluate(() => '__hacked' in window)).toBe(false);
});

test('the window is called after the place where one is', async ({ lab, page }) => {
  await lab.start();
  await expect(page).toHaveTitle('Start · Timeslice');
  const places = [
    ['s.bfs-smt', 'Four jobs on four cores · Timeslice'],
    ['s.bfs-smt&embed=1', 'Four jobs on four cores · Timeslice'],
    ['l1.1', /^Step 1 of \d+: Situation · Lesson 1 · One job too many · Timeslice$/],
    ['r=', 'Replications · Timeslice'],
    ['r=claims', 'All claims · Timeslice'],
    ['r=s2b&lang=de', /^.+ · Timeslice$/],
    ['start&lang=de', 'Start · Timeslice'],
    ['l1.1&lang=de', /^Schritt 1 von \d+: Situation · Lektion 1 · Ein Job zu viel · Timeslice$/],
  ] as const;
  for (const [fragment, title] of places) {
    await lab.open(fragment);
    await expect(page, fragment).toHaveTitle(title);
  }
});
