/** Traces of real machines: dropped on the page, read, believed or not, and asked about. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, idle, test } from './fixtures';

const TRACE = new URL('../sim-core/tests/traces/half1.1.stat_runtime.ftrace.txt', import.meta.url);

/** When this kernel did something else than the rules: 2528.357881 s less the beginning of the trace. */
const DISAGREES_NS = 1_238_834_000;
/** Room of the timelines for labels. */
const LABELS = 34;

/** Drops a text on the page as a file. */
async function drop(page: Page, name: string, text: string) {
  const files = await page.evaluateHandle(
    ([name, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name, { type: 'text/plain' }));
      return data;
    },
    [name, text] as const,
  );
  await page.dispatchEvent('main', 'drop', { dataTransfer: files });
}

test('a trace becomes two lanes, a verdict and choices with their cards', async ({ page, lab }) => {
  await lab.open();
  await test.step('a trace that cannot be read is refused with its line', async () => {
    const text = await readFile(TRACE, 'utf8');
    const lines = text.split('\n');
    const at = lines.findIndex((line) => line.includes('sched_switch:')) + 40;
    await drop(page, 'broken.txt', lines.with(at, `CPU:0 [LOST 20 EVENTS]`).join('\n'));
    const dialog = page.getByRole('dialog', { name: 'broken.txt was not opened' });
    await expect(dialog).toContainText(`Line ${String(at + 1)}`);
    await dialog.getByRole('button', { name: 'Close' }).click();
  });
  await test.step('both lanes are there', async () => {
    await drop(page, 'mine.txt', await readFile(TRACE, 'utf8'));
    await expect(lab.scenario()).toHaveText('mine');
    await idle(page);
    await expect(lab.lanes()).toHaveCount(2);
    await expect(page.getByRole('heading', { name: 'Recorded' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'EEVDF', exact: true })).toBeVisible();
  });
  await test.step('the verdict, and how many choices the rules make', async () => {
    const line = page.locator('.recording');
    await expect(line).toContainText('The model is');
    await expect(line).toContainText(/[\d,]+ of [\d,]+ choices as EEVDF 6\.18 would have chosen/);
  });
  await test.step('the one choice that the rules do not make opens its card', async () => {
    const card = page.getByRole('dialog', { name: 'A thread woke' });
    await page.getByRole('button', { name: 'Show the other one' }).click();
    await expect(card).toContainText('EEVDF 6.18 would take');
    await expect(card).toContainText('protected');
    await card.getByRole('button', { name: 'Go there' }).click();
    await expect(card).toBeHidden();
    await idle(page);
    // Its mark stands at the top of the second row.
    const [fromNs, toNs] = await page.evaluate(() => window.__sim.seen());
    const timeline = page.getByRole('application', { name: /^Timeline of Recorded/ });
    const box = await timeline.boundingBox();
    if (!box) throw new Error('the timeline is not there');
    const part = (DISAGREES_NS - fromNs) / (toNs - fromNs);
    await timeline.click({
      // The present is at the right edge: a little left of it is still within the mark.
      position: { x: LABELS + part * (box.width - LABELS) - 3, y: box.height / 2 + 4 },
    });
    await expect(card).toBeVisible();
    await expect(card).toContainText('cpu 1');
  });
});
