/** The pages about published experiments: found, run, read, left, and put into the link. */
import { expect, test } from './fixtures';

test('a replication runs, judges its claims, and opens a point on the stage', async ({
  lab,
  page,
}) => {
  await lab.open();
  await page.getByRole('link', { name: 'Replications' }).click();
  await page.getByRole('link', { name: /storm of sched_yield/ }).click();
  // Before the first run: what is published, and the verdicts of the release.
  await expect(page.getByText('in this release')).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText(/^20 of 20 runs in/)).toBeVisible({ timeout: 60_000 });
  await page.getByText('Table', { exact: true }).last().click();
  await expect(page.getByRole('columnheader', { name: '4BSD', exact: true })).toBeVisible();
  await page.getByLabel('Read off at').press('ArrowRight');
  await page.getByRole('button', { name: 'Open this point on the stage' }).click();
  await expect(page.getByRole('button', { name: 'Step', exact: true })).toBeVisible();
  await lab.idle();
  expect(await lab.digests()).toHaveLength(2);
});

test('seeds and change are in the link, and a run can be cancelled', async ({ lab, page }) => {
  await lab.open('r=s3&seeds=3&if=1');
  await expect(page.getByLabel('Seeds')).toHaveValue('3');
  await expect(page.getByLabel('What if')).toHaveValue('1');
  await page.getByLabel('Seeds').selectOption('10');
  expect(new URL(page.url()).hash).toBe('#r=s3&seeds=10&if=1');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('stopped, what was there is kept')).toBeVisible();
});

test('all experiments run from the gallery, and what was judged is kept', async ({ lab, page }) => {
  await lab.open('r=&seeds=1');
  await page.getByRole('button', { name: 'Run all' }).click();
  await expect(page.getByText(/Running: \d+ of \d+ runs/)).toBeVisible();
  await expect(page.getByText('1 of 10 experiments', { exact: true })).toBeVisible({
    timeout: 60_000,
  });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('stopped, what was there is kept')).toBeVisible();
  await expect(page.getByText(/^Here: \d+ of \d+ claims hold/)).toBeVisible();
  // The page of the experiment has its curve already.
  await page.getByRole('link', { name: /ULE on 16 cores/ }).click();
  await expect(page.getByText(/^(\d+) of \1 runs in/)).toBeVisible();
});

test('a sweep of one’s own is in the link with its scenario', async ({ lab, page }) => {
  await lab.open('v=1&x=s1-yield-storm&k=3');
  await page.getByRole('link', { name: 'Replications' }).click();
  await page.getByRole('link', { name: 'A sweep of your own' }).click();
  await page.getByLabel('values').fill('3');
  await page.getByLabel('Seeds').selectOption('1');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText(/^6 of 6 runs in/)).toBeVisible();
  const link = new URL(page.url()).hash.slice(1);
  await lab.open(link);
  await expect(page.getByLabel('values')).toHaveValue('3');
  await expect(page.getByText('Over “Ten processes that only yield')).toBeVisible();
});

test('a sweep of one’s own has a row for each run, a file of them, and measures of groups', async ({
  lab,
  page,
}) => {
  await lab.open('v=1&x=s1-yield-storm&k=3');
  await page.getByRole('link', { name: 'Replications' }).click();
  await page.getByRole('link', { name: 'A sweep of your own' }).click();
  await page.getByLabel('values').fill('3');
  await page.getByLabel('Seeds').selectOption('1');
  const subject = page.getByLabel('of', { exact: true });
  const group = await subject.locator('option').nth(1).textContent();
  await subject.selectOption({ index: 1 });
  await page.getByLabel('Measure').selectOption({ label: 'CPU time' });
  expect(decodeURIComponent(new URL(page.url()).hash)).toContain(`y=${group ?? ''}/cpuNs`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText(/^6 of 6 runs in/)).toBeVisible();
  await page.getByText('Rows: 6 ok', { exact: true }).click();
  const rows = page.getByRole('region', { name: 'Rows of the sweep' });
  await expect(rows.getByRole('row')).toHaveCount(7);
  await expect(
    rows.getByRole('columnheader', { name: `${group ?? ''}: CPU time, s` }),
  ).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'All rows as CSV' }).click();
  expect((await download).suggestedFilename()).toBe('timeslice-sweep-rows.csv');
});

const COMPARISONS = [
  // Page, runs with one seed, what the chart region shows then.
  ['s2a', 3, 'CFS: about half'],
  ['s2b', 2, 'preemptions of the injector for a request'],
  ['s2d', 2, 'ULE, in Linux'],
  ['s2e', 14, 'pointer chase, 8 MiB, s'],
] as const;
for (const [id, runs, shows] of COMPARISONS) {
  test(`ULE beside CFS: ${id} runs, is judged and has a table`, async ({ lab, page }) => {
    await lab.open(`r=${id}&seeds=1`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const all = String(runs);
    await expect(page.getByText(new RegExp(`^${all} of ${all} runs in`))).toBeVisible({
      timeout: 60_000,
    });
    const chart = page.getByRole('region', { name: 'Chart' });
    await expect(chart.getByText(shows).first()).toBeVisible();
    await expect(page.getByText('in this release')).toHaveCount(0);
    // Charts and maps have their table below; a table is one.
    const twin = chart.locator('summary', { hasText: 'Table' });
    if ((await twin.count()) > 0) await twin.click();
    await expect(chart.getByRole('table')).toBeVisible();
  });
}

test('a moment of a map opens the runs at that moment, paused, and says what to look at', async ({
  lab,
  page,
}) => {
  await lab.open('r=s2c&seeds=1');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText(/^3 of 3 runs in/)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('about 400 moves before 0.2 s')).toBeVisible();
  await page.getByText('Table', { exact: true }).last().click();
  await expect(page.getByRole('columnheader', { name: 'ULE, at home' })).toBeVisible();
  await page.getByLabel('Read off at').press('ArrowRight');
  await page.getByRole('button', { name: 'Open this moment on the stage' }).click();
  await lab.idle();
  await expect(page.getByText(/threads have just been set free/).first()).toBeVisible();
  expect(await lab.digests()).toHaveLength(3);
  // The release is at 5 s, or a little later by the seed.
  expect(await lab.now()).toBeGreaterThan(5e9);
  expect(await lab.now()).toBeLessThan(5.2e9);
});
