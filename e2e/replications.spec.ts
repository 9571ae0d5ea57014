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
