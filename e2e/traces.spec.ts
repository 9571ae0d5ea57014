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

/** A run of `timeslice real` as its file has it: two threads that take turns, none as long as another. */
type Turn = readonly [at: number, ns: number, cpu: number, end: number];
const LONG_NS = 20_000_000_000;
const turns = (() => {
  const [plain, modest]: [Turn[], Turn[]] = [[], []];
  let at = 1_000;
  for (let i = 0; at < LONG_NS - 30e6; i++) {
    const [a, b] = [12e6 + ((i * 7_919_333) % 65_537), 4e6 + ((i * 104_729_777) % 32_749)];
    plain.push([at, a, 1, 1]);
    modest.push([at + a + 1_500, b, 1, 1]);
    at += a + b + 3_000;
  }
  plain.push([at, LONG_NS - at, 1, 4]);
  return { plain, modest };
})();
const thread = (name: string, cpuNs: number, turns: readonly Turn[]) => ({
  name,
  cpuNs,
  voluntary: 0,
  involuntary: turns.length,
  seen: {
    workNs: cpuNs,
    turns,
    latencies: [],
    moves: 0,
    yields: 0,
    interruptions: 0,
    interruptedNs: 0,
    exited: false,
  },
});
const group = (name: string, nice: number) => ({
  name,
  nice,
  count: 1,
  behaviour: { kind: 'compute' },
});
const RUN = {
  realVersion: 1,
  scenario: {
    version: 2,
    name: 'Two hogs',
    machine: 'r3900x',
    schedulers: [{ id: 'eevdf' }],
    groups: [group('plain', 0), group('modest', 5)],
    end: { atNs: 1_000_000_000 },
  },
  about: {
    ...{ release: '6.18.44', processor: 'A processor', online: 2, hz: 250 },
    ...{ baseSliceNs: 1_400_000, preemption: 'none', autogroup: true, virtual: true },
  },
  cpus: [1],
  ns: LONG_NS,
  repeats: [754, 752, 753].map((part) => ({
    foreign: 0.02,
    stolen: 0,
    threads: [
      thread('plain-1', part * 20e6, turns.plain),
      thread('modest-1', (1000 - part) * 20e6, turns.modest),
    ],
  })),
};
const PROGRAM = `{
  "tasks": {
    // A comment, as rt-app's files have them.
    "beat": { "instance": 2, "loop": -1, "run": 2000, "sleep": 8000 }
  },
  "global": { "duration": 2, "default_policy": "SCHED_OTHER" }
}`;

test('other files of real machines say what they are', async ({ page, lab }) => {
  await lab.open();
  await test.step('a binary recording is refused with the command that makes text of it', async () => {
    await drop(page, 'perf.data', 'PERFILE2\0\0');
    const dialog = page.getByRole('dialog', { name: 'perf.data was not opened' });
    await expect(dialog).toContainText('perf script');
    await dialog.getByRole('button', { name: 'Close' }).click();
  });
  await test.step('a program of rt-app becomes a scenario', async () => {
    await drop(page, 'beat.json', PROGRAM);
    await expect(lab.scenario()).toHaveText('beat');
    await idle(page);
  });
});

test('a run for real is the lane of this machine beside the model, with intervals', async ({
  page,
  lab,
}) => {
  await lab.open();
  const line = page.locator('.recording');
  const card = page.getByRole('dialog', { name: 'run.json: this machine beside the model' });
  await test.step('a damaged file is refused with its fields', async () => {
    const damaged = JSON.stringify(RUN).replace('"cpuNs":15040000000', '"cpuNs":-1');
    await drop(page, 'damaged.json', damaged);
    const dialog = page.getByRole('dialog', { name: 'damaged.json was not opened' });
    await expect(dialog).toContainText('repeats[1].threads[0].cpuNs');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await drop(page, 'foreign.json', JSON.stringify({ ...RUN, cpus: [], ns: 1 }));
    const foreign = page.getByRole('dialog', { name: 'foreign.json was not opened' });
    await expect(foreign).toContainText('ns must be from 100000000 to 600000000000, got 1');
    await expect(foreign).toContainText('cpus must be from 1 to');
    await foreign.getByRole('button', { name: 'Close' }).click();
  });
  await test.step('the card says what the command line says', async () => {
    await drop(page, 'run.json', JSON.stringify(RUN));
    await expect(card).toContainText('Linux 6.18.44 on A processor (virtual), 2 CPUs');
    await expect(card).toContainText('had 2.0 % of the time of these CPUs');
    const share = card.getByRole('table').filter({ hasText: 'differs' });
    await expect(share.getByRole('row', { name: /^plain-1/ })).toContainText('0.7530 ± 0.0025');
    const row = card.getByRole('table').filter({ hasText: 'turns' }).getByRole('row');
    await expect(row.filter({ hasText: 'plain-1' })).toContainText('12 ms 100 %');
    await expect(card).toContainText('no share differs by more than 0.005');
    await card.getByRole('button', { name: 'Close' }).click();
  });
  const isOpen = async () => {
    await expect(lab.scenario()).toHaveText('Two hogs');
    await idle(page);
    await expect(lab.lanes()).toHaveCount(2);
    await expect(page.getByRole('heading', { name: 'This machine', exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'EEVDF', exact: true })).toBeVisible();
  };
  await test.step('both lanes are there, and the comparison can be read again', async () => {
    await isOpen();
    await expect(line).toContainText('The first of 3 repeats of 20.0 s.');
    await line.getByRole('button', { name: 'Show the comparison' }).click();
    await expect(card).toBeVisible();
    await card.getByRole('button', { name: 'Close' }).click();
  });
  await test.step('undo takes it away, and redo brings it back', async () => {
    await page.keyboard.press('Control+z');
    await expect(lab.scenario()).not.toHaveText('Two hogs');
    await idle(page);
    await page.keyboard.press('Control+Shift+z');
    await isOpen();
    await expect(line).toContainText('The first of 3 repeats of 20.0 s.');
  });
  await test.step('too large for a link, it survives a reload', async () => {
    await expect(page).toHaveURL(/kept=/);
    const digests = await lab.digests();
    await page.reload();
    await isOpen();
    expect(await lab.digests()).toEqual(digests);
    // The comparison is in the file alone.
    await expect(line).toHaveCount(0);
  });
});

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
    await expect(line).toContainText('The model is rough');
    await expect(line).toContainText(/[\d,]+ of [\d,]+ choices as EEVDF 6\.18 would have chosen/);
  });
  await test.step('a part of it becomes the lane, and the other part another one', async () => {
    const line = page.locator('.recording');
    const card = page.getByRole('dialog', { name: 'mine.txt: which part?' });
    const openPart = async (button: string, from: string, to: string) => {
      await line.getByRole('button', { name: button }).click();
      await expect(card).toContainText('The trace is 3.06 s long.');
      await card.getByLabel(/^From/).fill(from);
      await card.getByLabel(/^to/).fill(to);
      await card.getByRole('button', { name: 'Open this part' }).click();
      await expect(card).toBeHidden();
      await idle(page);
      await expect(lab.lanes()).toHaveCount(2);
    };
    await openPart('Choose a part', '0.5', '0.75');
    await expect(line).toContainText(/choices as EEVDF/);
    await page.evaluate(() => window.__sim.seek(10e9));
    await idle(page);
    const end = await lab.now();
    expect(end).toBeGreaterThan(200_000_000);
    expect(end).toBeLessThanOrEqual(250_000_000);
    await openPart('Choose another part', '0', '99');
    await expect(line).toContainText(/choices as EEVDF/);
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
