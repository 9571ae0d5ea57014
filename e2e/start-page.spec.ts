/** Start, the search, the places with their addresses, and short links. */
import { violations, WCAG } from './axe';
import { expect, type Lab, test } from './fixtures';

const heading = (lab: Lab) => lab.page.getByRole('heading', { name: 'Who runs next, and why?' });
const search = (lab: Lab) => lab.page.getByRole('dialog', { name: 'Search' });
const hash = (lab: Lab) => new URL(lab.page.url()).hash;

test('Start opens without a link, and its cards by keys', async ({ lab, page }) => {
  await lab.start();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href'));
  await test.step('no scenario is open', async () => {
    await expect(heading(lab)).toBeVisible();
    await expect(page).toHaveTitle('Start · Timeslice');
    await expect(page.getByRole('link', { name: 'Start', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
    await expect(page.getByRole('region', { name: 'Scenarios' }).getByRole('link')).toHaveCount(8);
    await expect(
      page.getByRole('region', { name: 'What replications taught' }).getByRole('link'),
    ).toHaveCount(4);
    await expect(page.getByRole('region', { name: 'Your work' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toHaveCount(0);
    expect(hash(lab)).toBe('');
    // No list changes the open scenario.
    await expect(page.getByRole('combobox', { name: 'Scenario' })).toHaveCount(0);
  });
  await test.step('the drawing stands at its moment, can run, and can be paused', async () => {
    await expect.poll(focused).toBe('#l1.1');
    const figure = page.getByRole('figure');
    const time = figure.locator('.time');
    await expect(figure.locator('figcaption span').first()).toHaveText(
      /^jobs \d and \d share core \d · core \d idle$/,
    );
    await expect(figure.locator('.number')).toHaveText(/^\d\.\d+\s×$/);
    await expect(figure.locator('.ghost')).toHaveCount(1);
    const before = await time.textContent();
    await page.getByRole('button', { name: 'Play the drawing' }).click();
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
  });
  await test.step('arrow keys walk over all shelves and open nothing', async () => {
    await page.locator('.card[href="#l1.1"]').focus();
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
  await test.step('with reduced motion it stands still; three keys open the second lesson', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await lab.start();
    await expect(page.getByRole('figure').locator('figcaption span').first()).toHaveText(
      / share core /,
    );
    await expect(page.getByRole('button', { name: 'Play the drawing' })).toHaveCount(0);
    await expect.poll(focused).toBe('#l1.1');
    for (const key of ['ArrowRight', 'Enter']) await page.keyboard.press(key);
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
    await lab.idle();
    expect(hash(lab)).toBe('#l2.1');
  });
});

test('the search opens anywhere with / and opens nothing before Enter', async ({ lab, page }) => {
  await lab.start();
  await page.keyboard.press('/');
  const box = search(lab).getByRole('combobox', { name: 'Search' });
  const rows = search(lab).getByRole('option');
  await expect(box).toBeFocused();
  await page.keyboard.type('nice');
  await expect(rows.first()).toContainText(/nice/i);
  await expect(search(lab).getByText(/^\d+ found$/)).not.toHaveText('0 found');
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(1)).toHaveAttribute('aria-selected', 'true');
  await test.step('schedulers, machines, authors and terms are found', async () => {
    for (const [query, kind] of [
      ['yield ule', 'Scenario'],
      ['sun fire', 'Scenario'],
      ['roberson', 'Replication'],
      ['sibling: the other', 'Term'],
    ] as const) {
      await box.fill(query);
      await expect(
        rows.filter({ has: page.getByText(kind, { exact: true }) }),
        query,
      ).not.toHaveCount(0);
    }
    await box.fill('no such thing');
    await expect(search(lab).getByText('Nothing has all these words.')).toBeVisible();
  });
  await page.keyboard.press('Escape');
  await expect(search(lab)).toBeHidden();
  await expect(heading(lab)).toBeVisible();
  await test.step('in the laboratory no arrow key changes the scenario', async () => {
    await page.locator('.card[href="#s.bfs-smt"]').click();
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
    await lab.idle();
    await page.getByRole('button', { name: /^Scenario:/ }).click();
    await expect(box).toBeFocused();
    await page.keyboard.type('wong 2011');
    await page.keyboard.press('ArrowDown');
    await lab.idle();
    expect(hash(lab)).toBe('#s.bfs-smt');
    await box.fill('512 opteron');
    await expect(rows.first()).toContainText('Scenario');
    await page.keyboard.press('Enter');
    await expect(lab.scenario()).toContainText('512 threads');
    await lab.idle();
    expect(hash(lab)).toBe('#s.s2c-512-threads');
  });
});

test('places are entries of the history, cards open at the opening, and work is kept', async ({
  lab,
  page,
}) => {
  await lab.start();
  const play = page.getByRole('button', { name: 'Play', exact: true });
  await page.locator('.card[href="#s.bfs-smt"]').click();
  await expect(play).toBeVisible();
  await lab.idle();
  await expect(page).toHaveTitle('Four jobs on four cores · Timeslice');
  const opened = await lab.now();
  await test.step('back leads to each place as it was left', async () => {
    await lab.step('event');
    const left = { now: await lab.now(), digests: await lab.digests() };
    await page.getByRole('link', { name: 'Replications', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Replications' })).toBeVisible();
    await expect(page).toHaveTitle('Replications · Timeslice');
    await page.getByRole('link', { name: 'Start', exact: true }).click();
    await expect(heading(lab)).toBeVisible();
    expect(hash(lab)).toBe('#start');
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Replications' })).toBeVisible();
    await page.goBack();
    // As it was left, not started again.
    await expect(play).toBeVisible();
    await lab.idle();
    expect({ now: await lab.now(), digests: await lab.digests() }).toEqual(left);
  });
  await test.step('a card opens the scenario at its opening, however far it was', async () => {
    await play.click();
    await expect.poll(() => lab.now()).toBeGreaterThan(opened);
    // The address bar lags while time runs.
    await page.keyboard.press('h');
    const card = page.locator('.card[href="#s.bfs-smt"]');
    await card.focus();
    await page.keyboard.press('Enter');
    await expect(play).toBeVisible();
    await lab.idle();
    expect(await lab.now()).toBe(opened);
  });
  await test.step('the empty laboratory is a new piece of work', async () => {
    await page.keyboard.press('h');
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
    await lab.idle();
  });
  await test.step('work is on the shelf at the next visit', async () => {
    await lab.start();
    await lab.work('Empty laboratory').click();
    await expect(page.getByRole('spinbutton', { name: 'Processes', exact: true })).toHaveValue('3');
    await lab.idle();
  });
});

test('axe finds nothing at Start and in the search, and a phone shows all of it', async ({
  lab,
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await lab.start();
  await expect(page.getByRole('region', { name: 'What replications taught' })).toBeVisible();
  for (const scheme of ['light', 'dark'] as const)
    await test.step(scheme, async () => {
      await page.emulateMedia({ colorScheme: scheme });
      await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
      expect(await violations(page, { tags: WCAG })).toEqual([]);
      await page.keyboard.press('/');
      await expect(search(lab)).toBeVisible();
      await page.keyboard.type('core');
      expect(await violations(page, { tags: WCAG })).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(search(lab)).toBeHidden();
    });
  for (const [width, height] of [
    [390, 844],
    [320, 700],
  ] as const)
    await test.step(`nothing scrolls sideways at ${String(width)} × ${String(height)}`, async () => {
      await page.setViewportSize({ width, height });
      await lab.idle();
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
      await page.keyboard.press('Escape');
    });
});

test(
  'the window is called after the place where one is',
  { tag: '@nightly' },
  async ({ lab, page }) => {
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
  },
);
