/** How a run that was changed is told from the one that was opened: on the page, in files and in pictures. */
import { readFileSync } from 'node:fs';
import { expect, test } from './fixtures';

const ASK = (
  JSON.parse(
    readFileSync(new URL('../scenarios/experiments/bfs-smt.json', import.meta.url), 'utf8'),
  ) as { ask: string }
).ask;

test('a changed run says so on the page, in its picture and in its file, until it is undone', async ({
  lab,
  page,
}) => {
  await lab.open('bfs-smt&t=0');
  const chip = page.getByRole('group', { name: 'Changes' });
  const question = page.getByText(ASK, { exact: true });
  await expect(question).toBeVisible();
  await expect(chip).toHaveCount(0);
  const digests = await lab.digests();

  await lab.type('Processes', '6');
  await expect(chip).toContainText('dhry: 6 threads (was 4)');
  await expect(question).toHaveCount(0);
  await expect(page).toHaveTitle(/^changed from “/);

  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('tab', { name: 'File' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save scenario' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^changed-from-four-jobs/);
  expect(readFileSync(await file.path(), 'utf8')).toMatch(/"ask": ""/);
  await page.getByRole('tab', { name: 'Data' }).click();
  await page.getByLabel('As', { exact: true }).selectOption('svg');
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save picture' }).click(),
  ]);
  expect(readFileSync(await picture.path(), 'utf8')).toContain(
    'changed from “Four jobs on four cores” (dhry: 6 threads (was 4))',
  );
  await page.keyboard.press('Escape');

  await lab.panel('Setup');
  await page.getByRole('button', { name: 'Remove lane 3' }).click();
  await expect(lab.lanes()).toHaveCount(2);
  await chip.getByRole('button', { name: 'undo all' }).click();
  await expect(chip).toHaveCount(0);
  await expect(question).toBeVisible();
  await expect(page).not.toHaveTitle(/changed/);
  await lab.idle();
  expect(await lab.digests()).toEqual(digests);
  await expect(lab.lanes()).toHaveCount(3);
  await page.keyboard.press('Control+z');
  await expect(lab.lanes()).toHaveCount(2);
  await expect(chip).toBeVisible();
});
