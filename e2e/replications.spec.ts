/** The pages about published experiments: they are found, run, read, left, and written into the link. */
import { readFile } from 'node:fs/promises';
import { expect, test } from './fixtures';

/** A verdict on a page, in words. */
const VERDICT = /^(reproduced( in part: \d+ of \d+)?|not reproduced|undecided)(, here)?$/;

test('a replication is found, runs, is judged, and opens a point on the stage', async ({
  lab,
  page,
}) => {
  // A published experiment is computed; of those with a curve this one takes least but has all that others have.
  await lab.open();
  await page.getByRole('link', { name: 'Replications' }).click();
  await page.getByRole('link', { name: /What nice is worth/ }).click();
  const verdict = page.getByRole('region', { name: 'Verdict' });
  const chart = page.getByRole('region', { name: 'Chart' });
  await test.step('before the first run: published values, and the verdict of the release', async () => {
    // As many as the page runs by itself take a minute on a slow machine.
    await expect(page.getByLabel('Seeds')).toHaveValue('5');
    await expect(verdict.getByText(VERDICT)).toBeVisible();
    await expect(verdict.getByText('The verdict of this release')).toBeVisible();
    await expect(chart.getByText('before, published').first()).toBeVisible();
  });
  await test.step('the verdict is beside the curve, above the fold, and links to its claims', async () => {
    const words = await verdict.getByText(VERDICT).boundingBox();
    const curve = await chart.getByRole('img').boundingBox();
    expect(words && curve && words.x > curve.x + curve.width - 1).toBe(true);
    expect(words && words.y + words.height).toBeLessThan(800);
    expect(curve && curve.y + curve.height).toBeLessThan(800);
    await verdict.getByRole('button', { name: /^S3-before: / }).click();
    const claim = page.locator('#claim-S3-before');
    await expect(claim.locator('summary')).toBeFocused();
    await expect(claim.getByRole('columnheader', { name: 'Bound' })).toBeVisible();
    await expect(claim.getByText(/^Expected: .*published/)).toBeVisible();
  });
  await test.step('seeds and change are in the link, and a run can be cancelled', async () => {
    await page.getByLabel('Seeds').selectOption('10');
    await page.getByLabel('What if').selectOption('frozen');
    expect(new URL(page.url()).hash).toBe('#r=s3&seeds=10&if=frozen');
    // It runs by itself when another assumption is chosen.
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText('stopped, results so far are kept')).toBeVisible();
    await expect(page.getByText('no verdict about the source')).toBeVisible();
  });
  await test.step('one seed runs and is judged', async () => {
    await page.getByLabel('Seeds').selectOption('1');
    await page.getByLabel('What if').selectOption({ index: 0 });
    await expect(page.getByText(/^(\d+) of \1 runs in/)).toBeVisible({ timeout: 120_000 });
    await expect(verdict.getByText(/^Here, over 1 seed/)).toBeVisible();
    await expect(verdict.getByText(VERDICT)).toBeVisible();
    await chart.getByRole('button', { name: 'As a table' }).click();
    await expect(chart.getByRole('columnheader', { name: 'before', exact: true })).toBeVisible();
    await chart.getByRole('button', { name: 'As a table' }).click();
  });
  await test.step('a point opens on the stage', async () => {
    await page.getByLabel('Read off at').press('ArrowRight');
    await chart.getByRole('button', { name: 'Open this point on the stage' }).click();
    await expect(page.getByRole('button', { name: 'Step', exact: true })).toBeVisible();
    await lab.idle();
    expect(await lab.digests()).toHaveLength(2);
  });
});

test('the reader’s own sweep has a row for each run, a file of them, and a link', async ({
  lab,
  page,
}) => {
  await lab.open('v=1&x=s1-yield-storm&k=3');
  await page.getByRole('link', { name: 'Replications' }).click();
  await page.getByRole('link', { name: 'A sweep of your own' }).click();
  await page.getByLabel('values').fill('3');
  await page.getByLabel('Seeds').selectOption('3');
  const subject = page.getByRole('combobox', { name: 'of', exact: true });
  const group = (await subject.locator('option').nth(1).textContent()) ?? '';
  await subject.selectOption({ index: 1 });
  await page.getByLabel('Measure').selectOption({ label: 'CPU time' });
  expect(decodeURIComponent(new URL(page.url()).hash)).toContain(`y=${group}/cpuNs`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText(/^18 of 18 runs in/)).toBeVisible({ timeout: 150_000 });
  await expect(page.getByText('Student’s t over 3 seeds')).toBeVisible();
  await page.getByText('Rows: 18 ok', { exact: true }).click();
  const rows = page.getByRole('region', { name: 'Rows of the sweep' });
  await expect(rows.getByRole('row')).toHaveCount(19);
  await expect(rows.getByRole('columnheader', { name: `${group}: CPU time, s` })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'All rows as CSV' }).click();
  expect((await download).suggestedFilename()).toBe('timeslice-sweep-rows.csv');
  const link = new URL(page.url()).hash.slice(1);
  await lab.open(link);
  await expect(page.getByLabel('values')).toHaveValue('3');
  await expect(page.getByText('Over “Ten processes that only yield')).toBeVisible();
  await test.step('all numbers are shown beside published ones, and can be saved', async () => {
    await page.evaluate(() => (location.hash = 'r=numbers'));
    const table = page.getByRole('region', { name: 'Numbers of S1' }).getByRole('table');
    await expect(table.getByRole('columnheader', { name: 'Relative error' })).toBeVisible();
    await expect(table.getByRole('rowheader', { name: 'Mean relative error' })).toBeVisible();
    await expect(table.getByRole('cell', { name: /^validation/ }).first()).toBeVisible();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const lines = (await readFile(await saved.path(), 'utf8')).trim().split('\r\n');
    expect(lines[0]).toBe('source,claim,kind,circular,number,published,simulated,relative error');
    const all = await page.getByRole('main').locator('tbody tr').count();
    expect(lines).toHaveLength(all + 1);
  });
});

test(
  'all experiments run from the gallery, and verdicts are kept',
  { tag: '@nightly' },
  async ({ lab, page }) => {
    await lab.open('r=&seeds=1');
    const cards = page.getByRole('main').getByRole('listitem');
    const all = await cards.count();
    // Before the first run: a verdict in words on each card, and a whole sentence.
    await expect(cards.getByText(VERDICT)).toHaveCount(all);
    for (const text of await cards.locator('.found').allInnerTexts())
      expect(text).toMatch(/[.!?]$/);
    await page.getByRole('button', { name: 'Run all' }).click();
    await expect(page.getByText(/Running: \d+ of \d+ runs/)).toBeVisible();
    await expect(page.getByText(`1 of ${String(all)} experiments`)).toBeVisible({
      timeout: 150_000,
    });
    await expect(page.getByText(/experiments, about .* left$/)).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText('stopped, results so far are kept')).toBeVisible();
    await expect(page.getByText(/^Here: \d+ of \d+ claims hold/)).toBeVisible();
    await expect(cards.first().getByText(/, here$/)).toBeVisible();
    // The page of the experiment already has its curve.
    await cards.first().getByRole('link').click();
    await expect(page.getByText(/^(\d+) of \1 runs in/)).toBeVisible();
  },
);

const COMPARISONS = [
  // Page, and content of its chart.
  ['s2a', 'CFS'],
  ['s2b', 'ULE ÷ CFS'],
  ['s2d', 'ULE'],
  ['s2e', 'ULE ÷ CFS'],
] as const;
for (const [id, shows] of COMPARISONS) {
  test(
    `ULE beside CFS: ${id} runs, is judged and has a table`,
    { tag: '@nightly' },
    async ({ lab, page }) => {
      await lab.open(`r=${id}&seeds=1`);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await expect(page.getByText(/^(\d+) of \1 runs in/)).toBeVisible({ timeout: 150_000 });
      const chart = page.getByRole('region', { name: 'Chart' });
      await expect(chart.getByText(shows).first()).toBeVisible();
      await expect(page.getByText(/^Here, over 1 seed/)).toBeVisible();
      // Charts and maps can become a table; a table is one already.
      const twin = chart.getByRole('button', { name: 'As a table' });
      if ((await twin.count()) > 0) await twin.click();
      await expect(chart.getByRole('table')).toBeVisible();
    },
  );
}

test(
  'a moment of a map opens the runs at that moment, paused, with advice',
  { tag: '@nightly' },
  async ({ lab, page }) => {
    await lab.open('r=s2c&seeds=1');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByText(/^(\d+) of \1 runs in/)).toBeVisible({ timeout: 150_000 });
    await page.getByLabel('Read off at').press('ArrowRight');
    await page.getByRole('button', { name: 'Open this moment on the stage' }).click();
    await lab.idle();
    await expect(page.getByText(/threads have just been set free/).first()).toBeVisible();
    expect((await lab.digests()).length).toBeGreaterThan(1);
    // The release is at 5 s, or a little later, depending on the seed.
    expect(await lab.now()).toBeGreaterThan(5e9);
    expect(await lab.now()).toBeLessThan(5.2e9);
  },
);
