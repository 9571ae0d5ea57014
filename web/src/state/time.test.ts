/** Steps, seeks and undo on the real core, without a page. */
import { describe, expect, it, vi } from 'vitest';
import type { StepKind } from '../sim/protocol';
import { idle, momentOf, openLab, ofGroup } from './test-lab';

/** For hangs: a state is waited for, however slow the machine. */
const WAIT = { timeout: 60_000, interval: 5 };
const LINK = 'v=2&x=bfs-smt&t=80';

vi.setConfig({ testTimeout: WAIT.timeout });

describe('steps', () => {
  it('forward and back lead to the same state', async () => {
    const lab = await openLab('s.bfs-smt');
    lab.steps.kind = 'switch';
    const step = async (back = false) => {
      lab.steps.step(back);
      await idle(lab);
      return momentOf(lab);
    };
    const here = await step();
    const there = await step();
    expect(there.now).toBeGreaterThan(here.now);
    expect(there.digests).not.toEqual(here.digests);
    expect(await step(true)).toEqual(here);
  });

  it('of each kind move on', async () => {
    const lab = await openLab('s.bfs-smt');
    const kinds: readonly StepKind[] = [
      'event',
      'decision',
      'switch',
      'tick',
      'migration',
      'wakeup',
      'sliceEnd',
    ];
    for (const kind of kinds) {
      const before = momentOf(lab);
      lab.steps.kind = kind;
      lab.steps.step();
      await idle(lab);
      expect(lab.run.nowNs, kind).toBeGreaterThanOrEqual(before.now);
      expect(momentOf(lab).digests, kind).not.toEqual(before.digests);
    }
  });
});

describe('the past', () => {
  it('is unchanged after time went on and back', async () => {
    const lab = await openLab('v=1&t=50');
    const then = momentOf(lab);
    lab.playback.play();
    await vi.waitUntil(() => lab.run.nowNs > 60_000_000, WAIT);
    lab.playback.pause();
    await idle(lab);
    await lab.playback.seek(0);
    expect(lab.run.nowNs).toBe(0);
    await lab.playback.seek(then.now);
    expect(momentOf(lab)).toEqual(then);
  });

  it('stands still while time is paused', async () => {
    const lab = await openLab(LINK);
    lab.playback.play();
    await vi.waitUntil(() => lab.run.nowNs > 85_000_000, WAIT);
    lab.playback.pause();
    await idle(lab);
    const paused = momentOf(lab);
    lab.playback.redraw();
    await idle(lab);
    expect(momentOf(lab)).toEqual(paused);
  });
});

describe('another scenario', () => {
  it('begins where it opens, while the one before plays', async () => {
    const lab = await openLab('s.bfs-smt');
    const other = lab.run.catalog?.scenarios.find(({ id }) => id === 'cfs-eevdf');
    expect(other?.scenario.schedulers).toHaveLength(lab.run.lanes.length);
    lab.playback.play();
    const began = lab.run.nowNs;
    await vi.waitUntil(() => lab.run.nowNs > began, WAIT);
    expect(await lab.openScenario(other?.scenario, 'cfs-eevdf', 0)).toBe(true);
    await idle(lab);
    expect(lab.playback.isPlaying).toBe(false);
    expect(lab.run.lanes.map(({ frame }) => frame.nowNs)).toEqual([0, 0, 0]);
  });
});

describe('a lane that has finished', () => {
  it('does not stop the clock of the other', async () => {
    const lab = await openLab('s.s1-yield-storm');
    expect(lab.run.lanes.map((lane) => lane.calm.head('finished') > 0)).toEqual([false, false]);
    // Slow enough to show switches that come every few microseconds.
    expect(lab.playback.speed).toBeLessThan(1_000_000);
    lab.playback.isUnbounded = true;
    lab.playback.play();
    await vi.waitUntil(() => !lab.playback.isPlaying, WAIT);
    await idle(lab);
    // The end of the slower one.
    expect(lab.run.nowNs).toBeGreaterThan(5_000_000);
    expect(lab.run.finished).toBe(true);
  });
});

describe('undo', () => {
  it('goes back to the time of the change, and redo to where undo was pressed', async () => {
    const lab = await openLab(LINK);
    const before = momentOf(lab);
    lab.editing.change({ set: 'groups.*.nice', to: 7 });
    await idle(lab);
    await lab.playback.seek(200_000_000);
    const after = momentOf(lab);
    expect(after.digests).not.toEqual(before.digests);
    lab.editing.undo();
    await idle(lab);
    expect(momentOf(lab)).toEqual(before);
    lab.editing.redo();
    await idle(lab);
    expect(momentOf(lab)).toEqual(after);
  });
});

describe('threads that ended or were forked', () => {
  const script = (name: string, count: number, program: string) => ({
    name,
    count,
    behaviour: { kind: 'script', params: { program, child: 'run 10s' } },
  });
  const scenario = {
    version: 1,
    name: 'Short',
    machine: 'i7860',
    schedulers: [{ id: 'cfs' }],
    groups: [script('gone', 6, 'run 1ms'), script('more', 1, 'fork; fork; run 10s')],
    end: { atNs: 1_000_000_000 },
  };

  it('count in the numbers that sliders show and set', async () => {
    const lab = await openLab('s.bfs-smt');
    await lab.openScenario(scenario, 'given');
    await lab.playback.seek(200_000_000);
    const counts = () => lab.run.lanes[0]?.present.groups.map((group) => group.count);
    expect(counts()).toEqual([0, 3]);
    // Four more than there are now, not than there were at first.
    lab.editing.change(ofGroup(lab, 1, 'count', 7));
    await idle(lab);
    expect(counts()).toEqual([0, 7]);
    await lab.playback.seek(0);
    expect(counts()?.[0]).toBe(6);
  });
});
