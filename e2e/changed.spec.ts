import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, type Lab } from './fixtures';

const folder = path.join(import.meta.dirname, '../scenarios/experiments');
const scenarios = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({
    id: path.basename(file, '.json'),
    said: JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as { ask: string },
  }));

const chip = ({ page }: Lab) => page.getByRole('group', { name: 'Changes' });

/** Changes that make another run, and the chip's words for them. */
const CHANGES: readonly (readonly [string, RegExp, (lab: Lab) => Promise<void>])[] = [
  [
    'processes',
    /more of|threads instead of/,
    async (lab) => {
      // With several groups the control is named after the first. If it is not at the question, it is in Setup.
      await lab.panel('Setup');
      const box = lab.page.getByRole('spinbutton', { name: /Processes$/i });
      await box.fill(String(Number(await box.inputValue()) + 1));
      await box.press('Tab');
    },
  ],
  [
    'lane',
    /\w/,
    async (lab) => {
      await lab.panel('Setup');
      const { page } = lab;
      const add = page.getByRole('button', { name: 'Add a lane' });
      const isFull = (await add.count()) === 0;
      await (isFull ? page.getByRole('button', { name: 'Remove lane 1' }) : add).click();
    },
  ],
  [
    'machine',
    /machine /,
    async (lab) => {
      await lab.panel('Setup');
      const { page } = lab;
      await page.getByRole('button', { name: /^Machine: / }).click();
      const other = page
        .getByRole('dialog', { name: 'Machines' })
        .locator('button:not([aria-current="true"]):has(b)');
      await other.first().click();
    },
  ],
];

for (const { id, said } of scenarios) {
  test(`words of ${id} follow changes`, async ({ lab, page }) => {
    test.slow();
    await lab.open(id);
    const question = page.getByText(said.ask, { exact: true });
    await expect(question).toBeVisible();
    await expect(chip(lab)).toHaveCount(0);
    const [now, digests] = [await lab.now(), await lab.digests()];
    for (const [what, words, change] of CHANGES) {
      await change(lab);
      await expect(chip(lab), what).toContainText(words);
      await expect(question, what).toHaveCount(0);
      await expect(page, what).toHaveTitle(new RegExp('^changed from “'));
      await lab.idle();
      const link = new URL(page.url()).hash.slice(1);
      await chip(lab).getByRole('button', { name: 'undo all' }).click();
      await expect(chip(lab), what).toHaveCount(0);
      await expect(question, what).toBeVisible();
      await lab.idle();
      expect(await lab.now(), what).toBe(now);
      expect(await lab.digests(), what).toEqual(digests);
      if (what !== 'processes') continue;
      await lab.open(link);
      await expect(chip(lab)).toContainText(words);
      await expect(question).toHaveCount(0);
      await lab.open(id);
    }
  });
}

test('a picture and a file of a changed run say so', async ({ lab, page }) => {
  await lab.open('bfs-smt&k=6&t=25');
  await expect(chip(lab)).toContainText('dhry: 6 threads instead of 4');
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
    'changed from “Four jobs on four cores” (dhry: 6 threads instead of 4)',
  );
});

test('one undo restores all changes at once', async ({ lab, page }) => {
  await lab.open('bfs-smt&t=25');
  await lab.type('Processes', '6');
  await lab.panel('Setup');
  await page.getByRole('button', { name: 'Remove lane 3' }).click();
  await lab.idle();
  await chip(lab).getByRole('button', { name: 'undo all' }).click();
  await lab.idle();
  await expect(lab.lanes()).toHaveCount(3);
  await page.keyboard.press('Control+z');
  await lab.idle();
  await expect(lab.lanes()).toHaveCount(2);
  await expect(chip(lab)).toBeVisible();
});
