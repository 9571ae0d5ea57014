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

/** A run of `timeslice real`: two threads, as the file has them. */
const thread = (name: string, cpuNs: number) => ({
  name,
  cpuNs,
  voluntary: 0,
  involuntary: 1,
  seen: {
    workNs: cpuNs,
    turns: [[0, 4_000_000, 1, 1]],
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
    machine: 'ideal',
    schedulers: [{ id: 'eevdf' }],
    groups: [group('plain', 0), group('modest', 5)],
    end: { atNs: 1_000_000_000 },
  },
  about: { release: '6.18.44', online: 2, hz: 250, preemption: 'none', virtual: true },
  cpus: [1],
  ns: 1_000_000_000,
  repeats: [754, 752].map((part) => ({
    foreign: 0.02,
    stolen: 0,
    threads: [thread('plain-1', part * 1e6), thread('modest-1', (1000 - part) * 1e6)],
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
  await test.step('a run for real stands beside the model', async () => {
    await drop(page, 'run.json', JSON.stringify(RUN));
    const card = page.getByRole('dialog', { name: 'run.json: this machine beside the model' });
    await expect(card).toContainText('Linux 6.18.44');
    await expect(card).toContainText('This machine is virtual.');
    const row = card.getByRole('row', { name: /^plain-1/ });
    await expect(row).toContainText(/75\.3 %/);
    await expect(row).toContainText('as the model');
    await card.getByRole('button', { name: 'Close' }).click();
    await expect(lab.scenario()).toHaveText('Two hogs');
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
