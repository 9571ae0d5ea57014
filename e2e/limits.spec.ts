/** Control groups with a limit on the stage, and why their threads stand still. */
import { readFileSync } from 'node:fs';
import { expect, type Lab, test } from './fixtures';

const CONTAINER = readFileSync(
  new URL('../scenarios/workloads/container.json', import.meta.url),
  'utf8',
);

/** At a time at which the group of each lane stands still. */
async function open(lab: Lab): Promise<void> {
  await lab.open();
  await lab.page.evaluate((s) => window.__sim.open(s), CONTAINER);
  await lab.page.evaluate(() => window.__sim.seek(260e6));
  await lab.idle();
}

test('a thread that stands still says why, and until when', async ({ lab, page }) => {
  await open(lab);
  const machine = page.locator('[data-lane="2"] [data-view="Machine"]');
  await machine.focus();
  await page.keyboard.press('End');
  // The last threads are asleep; those before them stand still.
  await expect(async () => {
    await page.keyboard.press('ArrowLeft');
    await expect(page.locator('.tip')).toContainText('stands still: web is back in');
  }).toPass();
  await page.keyboard.press('Enter');
  await lab.idle();
  const card = page.getByRole('complementary').filter({ hasText: 'Why it stands still' });
  await expect(card).toContainText('control group web has used its 50 ms');
  await expect(card).toContainText('Its threads used');
  await expect(card).toContainText('A period begins at 300.000 ms.');
});
