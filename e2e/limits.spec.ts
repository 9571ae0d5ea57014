/** Control groups with a limit on the stage, and why their threads stand still. */
import { readFileSync } from 'node:fs';
import { expect, type Lab, test } from './fixtures';

const CONTAINER = readFileSync(
  new URL('../scenarios/experiments/container.json', import.meta.url),
  'utf8',
);

/** At a time at which the group of each lane stands still. */
async function open(lab: Lab): Promise<void> {
  await lab.open();
  await lab.page.evaluate((s) => window.__sim.open(s), CONTAINER);
  await lab.page.evaluate(() => window.__sim.seek(260e6));
  await lab.idle();
}

/** The middle of the thread that stands still in the last lane. */
async function stillAt({ page }: Lab): Promise<readonly [number, number]> {
  // Of the threads that are drawn at this time, one stands still; the others are asleep.
  const [still] = await page.evaluate(
    () => window.__sim.stageRects().find(({ lane }) => lane === 2)?.tokens ?? [],
  );
  if (!still) throw new Error('nobody stands still');
  return [still.rect.x + still.rect.w / 2, still.rect.y + still.rect.h / 2];
}

test('a thread that stands still says why, and until when', async ({ lab, page }) => {
  await open(lab);
  const [x, y] = await stillAt(lab);
  await page.mouse.move(x, y);
  await expect(page.locator('.tip')).toContainText('stands still: web is back in 40.0 ms');
  await page.mouse.click(x, y);
  await lab.idle();
  const card = page.getByRole('complementary').filter({ hasText: 'Why it stands still' });
  await expect(card).toContainText('control group web has used its 50 ms');
  await expect(card).toContainText('Used: ');
  await expect(card).toContainText('A period begins at 300.000 ms.');
});

test('a limit is changed by its slider and by what the card of a thread offers', async ({
  lab,
  page,
}) => {
  await open(lab);
  const limit = page.getByRole('slider', { name: 'Limit of web' });
  const period = page.getByRole('slider', { name: 'Period of web' });
  await period.focus();
  await page.keyboard.press('ArrowLeft');
  await lab.idle();
  await expect(period).toHaveAttribute('aria-valuetext', '50.0 ms');
  await expect(limit).toHaveAttribute('aria-valuetext', '0.5 CPUs');
  await expect(page.getByText('How long does a request to the container take?')).toBeVisible();
  await limit.focus();
  await page.keyboard.press('ArrowRight');
  await lab.idle();
  await expect(limit).toHaveAttribute('aria-valuetext', '1 CPUs');
  await expect(page.getByText('limit of web to 50 ms a period')).not.toHaveCount(0);

  await page.getByRole('button', { name: 'undo all' }).click();
  await open(lab);
  await page.mouse.click(...(await stillAt(lab)));
  await lab.idle();
  await page.getByRole('button', { name: 'Try 2 CPUs' }).click();
  await lab.idle();
  await expect(limit).toHaveAttribute('aria-valuetext', '2 CPUs');
  await expect(period).toHaveAttribute('aria-valuetext', '100 ms');
});

test('a group with a limit has a bar, with the limit as a mark', async ({ lab, page }) => {
  await open(lab);
  const lanes = page.getByRole('group', { name: /^Share of a CPU since/ });
  await expect(lanes).toHaveCount(3);
  await expect(lanes.first()).toHaveAccessibleName(/: web \d+ %, limit 50 %; worker-/);
  const bar = page.locator('.shares p.row', { hasText: 'web' }).first();
  const [track, mark] = [bar.locator('.track'), bar.locator('.limit')];
  const ends = async () => {
    const [of, at] = [await track.boundingBox(), await mark.boundingBox()];
    return of && at ? (at.x - of.x) / of.width : Number.NaN;
  };
  expect(await ends()).toBeCloseTo(0.5, 1);
  // Two of three CPUs' room: the bar ends at the limit where that is larger than a CPU.
  await page.getByRole('slider', { name: 'Limit of web' }).focus();
  for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowRight');
  await lab.idle();
  await page.evaluate(() => window.__sim.seek(400e6));
  await lab.idle();
  expect(await ends()).toBeCloseTo(1, 1);
});
