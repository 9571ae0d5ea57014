import { expect, test } from './fixtures';

const KEYS_OF_TABS = ['waiting', 'shares', 'values', 'speed', 'runs'];

/** Names of the tables with the same content. */
const TABLE_OF: Readonly<Record<string, RegExp>> = {
  waiting: /^Threads that waited, BFS/,
  shares: /^Share of a CPU, BFS/,
  values: /^virtual deadline, BFS/,
  speed: /^Where time on a CPU went, BFS/,
  runs: /^Who ran, BFS, \d/,
};

test('the timeline shows a whole run, any part of it, and every tab', async ({ lab, page }) => {
  await lab.open('v=2&x=bfs-smt&t=900');
  const timeline = page.getByRole('application', { name: /^Timeline of/ }).first();
  const figure = page.getByRole('figure', { name: /^Timeline of/ }).first();
  await timeline.focus();
  await page.keyboard.press('0');
  await lab.idle();
  await expect(figure).toHaveAccessibleName(/who runs: 0\.000 ms to 900\.000 ms/);
  for (let i = 0; i < 3; i++) await page.keyboard.press('+');
  await page.keyboard.press('ArrowRight');
  await lab.idle();
  await expect(figure).not.toHaveAccessibleName(/900\.000 ms/);
  const pictures = new Set<string>();
  for (const tab of KEYS_OF_TABS) {
    await page.locator(`[role="tab"][data-tab="${tab}"]`).click();
    await lab.idle();
    pictures.add((await timeline.screenshot()).toString('base64'));
    // The content of the chart is in a table, too.
    const table = page.getByRole('table', { name: TABLE_OF[tab] }).first();
    await expect(table.getByRole('row').nth(1)).toContainText(/\d/);
  }
  expect(pictures.size).toBe(KEYS_OF_TABS.length);
  await timeline.focus();
  await page.keyboard.press('End');
  await lab.idle();
  await expect(figure).toHaveAccessibleName(/ to 900\.000 ms/);
  await test.step('a thread selected on the timeline of one lane is selected in all', async () => {
    const other = page.getByRole('application', { name: 'Timeline of Manual affinity' });
    const box = await other.boundingBox();
    if (!box) throw new Error('the timeline has no place');
    await page.mouse.click(box.x + box.width / 2, box.y + 6);
    await lab.idle();
    const inspector = page.getByRole('complementary', { name: 'Inspect' });
    await expect(inspector.getByText(/^dhry-\d$/).first()).toBeVisible();
    for (const title of ['BFS', 'Manual affinity', 'Random placement'])
      await expect(inspector.getByRole('columnheader', { name: title }).first()).toBeVisible();
  });
});

test('a lecture by keyboard only', async ({ lab, page }) => {
  await lab.open();
  /** Presses Tab until an element with this name has the focus. */
  const tabTo = async (name: RegExp) => {
    for (let i = 0; i < 150; i++) {
      const label = await page.evaluate(() => {
        const e = document.activeElement as HTMLElement & { labels?: NodeListOf<HTMLElement> };
        const own = e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent;
        return own?.trim() ?? '';
      });
      if (name.test(label)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab never comes to ${String(name)}`);
  };
  const before = await page.evaluate(() => location.hash);
  // The search opens, and nothing is opened before Enter.
  await page.keyboard.press('/');
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible();
  await page.keyboard.type('18 hogs');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => location.hash)).not.toBe(before);
  await lab.idle();
  await tabTo(/^Working set$/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Tab');
  await lab.idle();
  // Space plays unless a button has the focus.
  await tabTo(/^Timeline of/);
  const start = await lab.now();
  await page.keyboard.press('Space');
  await expect.poll(() => lab.now()).toBeGreaterThan(start);
  await page.keyboard.press('Space');
  await lab.idle();
  // On to the next migration, which screen readers hear, too.
  await expect(page.getByLabel('Step by')).toHaveValue('migration');
  const paused = await lab.now();
  await page.keyboard.press('.');
  await lab.idle();
  expect(await lab.now()).toBeGreaterThanOrEqual(paused);
  const now = (await page.getByLabel('Simulated time').textContent()) ?? 'no time';
  const told = page.getByRole('status').filter({ hasText: 'moved from' });
  await expect(told).toHaveText(new RegExp(`^.+ moved from cpu \\d+ to cpu \\d+ at ${now}\\.$`));
  const [, moved = '', to = ''] = /^(.+) moved.* to (cpu \d+) /.exec(await told.innerText()) ?? [];
  if (!(await page.getByRole('heading', { name: 'Why?' }).isVisible())) {
    await tabTo(/^Inspect/);
    await page.keyboard.press('Enter');
  }
  // Why: the decision about this thread at this moment, when the list has reached it.
  const why = page.getByRole('region', { name: 'Why?' });
  await expect(
    why
      .getByRole('button')
      .filter({ hasText: `${now} · ` })
      .first(),
  ).toBeVisible();
  await tabTo(/^Kind of decision$/);
  await page.keyboard.press('Tab');
  await tabTo(new RegExp(`\\b${moved}\\b`));
  await page.keyboard.press('Enter');
  await lab.idle();
  await expect(why.getByRole('button', { expanded: true })).toContainText(`${now} · `);
  const card = why.getByRole('article');
  for (const word of [moved, to]) await expect(card.locator('.sentence')).toContainText(word);
  await expect(card).not.toContainText(/undefined|NaN/);
});

test('a marked span shows its sums for every lane, by pointer and by keys', async ({
  lab,
  page,
}) => {
  await lab.open('v=2&x=bfs-smt&t=300&k=9');
  const timeline = page.getByRole('application', { name: 'Timeline of BFS' });
  const box = await timeline.boundingBox();
  if (!box) throw new Error('the timeline has no place');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.3, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, y, { steps: 4 });
  await page.mouse.up();
  await lab.idle();
  const sums = page.getByRole('region', { name: 'Sums of the marked span' });
  await expect(sums).toBeVisible();
  // The shares of nine jobs on eight CPUs; daemons are not included, but CPUs are busy with all threads.
  const cells = async (name: string) => {
    const row = sums.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
    return (await row.getByRole('cell').allInnerTexts()).map((text) => Number.parseFloat(text));
  };
  const busy = await cells('CPUs busy');
  expect(busy).toHaveLength(3);
  for (const [lane, part] of busy.entries()) {
    let had = 0;
    for (let job = 1; job <= 9; job++) had += (await cells(`dhry-${String(job)}`))[lane] ?? NaN;
    expect(had / 8).toBeLessThanOrEqual(part + 1);
    expect(had / 8).toBeGreaterThan(part - 5);
  }
  // A link brings it back.
  const link = await page.evaluate(() => location.hash);
  expect(link).toContain('sums=');
  const before = await sums.innerText();
  await lab.open(link.slice(1));
  await expect(sums).toBeVisible();
  await lab.idle();
  expect(await sums.innerText()).toBe(before);
  await timeline.focus();
  await page.keyboard.press('Escape');
  await expect(sums).toHaveCount(0);
  // The keys mark the visible past, and move its beginning.
  await page.mouse.move(0, 0);
  await timeline.focus();
  await page.keyboard.press(']');
  await lab.idle();
  await expect(sums).toContainText('to 300.000 ms');
  const long = await sums.getByRole('heading').innerText();
  await page.keyboard.press('[');
  await lab.idle();
  expect(Number.parseFloat(await sums.getByRole('heading').innerText())).toBeLessThan(
    Number.parseFloat(long),
  );
});
