import { describe, expect, it, vi } from 'vitest';
import { TestWorker } from '../sim/test-worker';
import type { Scenario } from '../sim/types/Scenario';
import { Run } from './run.svelte';

const MS = 1_000_000;

const SCENARIO = {
  version: 1,
  name: 'two lanes',
  seed: 1,
  machine: 'i7860',
  schedulers: [{ id: 'bfs' }, { id: 'ule' }],
  groups: [{ name: 'hog', count: 11, behaviour: { kind: 'compute' } }],
  end: { atNs: 60_000 * MS },
} as unknown as Scenario;

async function started(): Promise<Run> {
  const run = new Run(() => new TestWorker());
  await run.load();
  await run.configure(SCENARIO, 0);
  return run;
}

/** Runs on until the lanes get there: how far one call takes them depends on the computer. */
async function reach(run: Run, ns: number): Promise<void> {
  while (run.nowNs < ns) await run.advance(ns);
}

describe('words and numbers while time runs', () => {
  it('stay as they are when an answer comes, and change together after a picture is painted', async () => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 0.001));
    const run = await started();
    const before = run.lanes.map((lane) => lane.calm);
    now += 1000;
    await reach(run, 5 * MS);
    // Canvases have it at once.
    expect(run.lanes.map((lane) => lane.frame.nowNs)).toEqual([5 * MS, 5 * MS]);
    expect(run.lanes.map((lane) => lane.calm)).toEqual(before);
    expect(run.calmNs).toBe(0);
    let clocks = 0;
    const told: number[][] = [];
    for (let picture = 1; picture <= 60; picture++) {
      now += 16.7;
      await reach(run, (5 + picture) * MS);
      const was = run.calmNs;
      const calm = run.lanes.map((lane) => lane.calm);
      run.tell();
      if (run.calmNs !== was) clocks += 1;
      const changed = run.lanes.filter((lane, i) => lane.calm !== calm[i]);
      if (changed.length === 0) continue;
      // All lanes show the same moment: the newest one, which the clock shows too.
      told.push(changed.map((lane) => lane.calm.nowNs));
      expect(changed.map((lane) => lane.calm)).toEqual(run.lanes.map((lane) => lane.frame));
      expect(changed.every((lane) => lane.calm.nowNs === run.calmNs)).toBe(true);
    }
    // The clock changes twelve times a second; the numbers of the lanes change with every third of these.
    expect(clocks).toBe(12);
    expect(told).toHaveLength(4);
    expect(told.every((lanes) => lanes.length === 2)).toBe(true);
    clock.mockRestore();
    run.close();
  });

  it('are exact at once while time stands', async () => {
    const run = await started();
    await reach(run, 5 * MS);
    await run.look();
    expect(run.calmNs).toBe(5 * MS);
    for (const lane of run.lanes) {
      expect(lane.calm).toBe(lane.frame);
      expect(lane.metric('throughput')).toBeGreaterThan(0);
    }
    run.close();
  });
});
