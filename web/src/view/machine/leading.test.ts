/**
 * Announced moments, with the real core and drawn time that the tests make: which moment is announced, how time slows
 * for it, and what ends that.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { SLOW_MS } from '../../state/moments';
import type { Lab } from '../../state/lab.svelte';
import { idle, openLab } from '../../state/test-lab';
import { leadToMoments } from './leading';
import { drawnTime, FRAME_MS } from './test-frames';

const SEC = 1e9;

const drawn = drawnTime();
const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A laboratory that announces moments, with its lanes on the page. */
async function led(fragment: string): Promise<Lab> {
  const lab = await openLab(fragment);
  lab.prefs.reducedMotion = false;
  for (const lane of lab.run.lanes) lab.moment.sees(lane.index, () => []);
  const stop = leadToMoments(lab);
  ends.push(() => {
    lab.playback.pause();
    stop();
  });
  return lab;
}

/** A moment that leads, and the speed then. */
interface Announced {
  readonly kind: string;
  readonly atNs: number;
  readonly nowNs: number;
  readonly pace: number;
}

/** Plays until a moment leads, or until a time. */
async function announced(lab: Lab, untilNs: number): Promise<Announced | null> {
  return new Promise((resolve) => {
    const stop = lab.playback.paintWith(() => {
      const { sight, isLeading } = lab.moment;
      const { nowNs, finished } = lab.run;
      if (isLeading && sight) {
        const { kind, atNs } = sight;
        resolve({ kind, atNs, nowNs, pace: lab.playback.pace });
      } else if (nowNs > untilNs || finished) resolve(null);
      else return false;
      stop();
      return false;
    });
    lab.playback.play();
  });
}

/** Waits until something is so after a picture. */
async function until(lab: Lab, isSo: () => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = lab.playback.paintWith(() => {
      if (isSo()) {
        stop();
        resolve();
      }
      return false;
    });
    lab.playback.redraw();
  });
}

/** Few hogs under BFS: soon two of them share a core beside an idle one. */
const HOGS = {
  version: 1,
  name: 'three hogs',
  seed: 1,
  machine: 'i7860',
  schedulers: [{ id: 'bfs' }],
  groups: [{ name: 'hog', count: 3, behaviour: { kind: 'compute' } }],
  background: { daemons: {}, kernelThreads: {} },
  end: { atNs: 600 * SEC },
};

async function openHogs(speed: number, scenario: unknown = HOGS): Promise<Lab> {
  const lab = await led('s.bfs-smt');
  await lab.openScenario(scenario, '');
  await lab.playback.seek(SEC);
  lab.playback.setSpeed(speed);
  await idle(lab);
  return lab;
}

describe('moments are announced', { timeout: 60_000 }, () => {
  it.each(['bfs-smt', 's2c-512-threads', 's0-v890', 's3-nice'])(
    'within the first five drawn seconds of %s: one that it names',
    async (id) => {
      const lab = await led(`s.${id}`);
      const { moments, opening } = lab.config?.scenario ?? {};
      const openedNs = lab.run.nowNs;
      const found = await announced(lab, openedNs + 5 * (opening?.speed ?? 0));
      expect(moments).toContain(found?.kind);
      expect(found?.atNs).toBeGreaterThanOrEqual(openedNs);
    },
  );

  it('slowly, and time goes on as fast as before', async () => {
    const lab = await openHogs(SEC);
    const found = await announced(lab, 60 * SEC);
    expect(found).toMatchObject({ kind: 'sharedCore' });
    expect(found?.pace).toBeLessThan(SEC);
    const fromMs = drawn.ms;
    await until(lab, () => lab.moment.hasChip);
    expect(lab.speech.announced?.text).toMatch(/share core/);
    expect(lab.speech.spoken).toMatch(/share core .*W asks why\./);
    await until(lab, () => !lab.moment.isLeading);
    // It ends earlier when it is no longer so; words and chip then go with it.
    const isOver = lab.moment.sight === null;
    if (!isOver) expect(drawn.ms - fromMs).toBeGreaterThanOrEqual(SLOW_MS - FRAME_MS);
    expect(lab.playback.pace).toBe(SEC);
    expect(lab.moment.hasChip).toBe(!isOver);
    // Asking is possible after it, too.
    expect(lab.speech.announced?.text).toMatch(/share core/);
  });

  it('from where the flight begins at high speed: time goes back', async () => {
    // More hogs than CPUs: the balancer moves them, no core is idle.
    const [group] = HOGS.groups;
    const nine = { ...HOGS, schedulers: [{ id: 'cfs' }], groups: [{ ...group, count: 9 }] };
    const lab = await openHogs(10 * SEC, nine);
    const found = await announced(lab, 300 * SEC);
    const atNs = found?.atNs ?? 0;
    expect(atNs).toBeGreaterThan(0);
    await until(lab, () => lab.run.nowNs < atNs);
    expect(lab.moment.hasChip).toBe(false);
    await until(lab, () => lab.moment.hasChip);
    expect(lab.run.nowNs).toBeGreaterThanOrEqual(atNs);
  });

  it('and a speed that the user chooses meanwhile is kept', async () => {
    const lab = await openHogs(SEC);
    expect(await announced(lab, 60 * SEC)).not.toBeNull();
    const chosen = 300e6;
    lab.playback.setSpeed(chosen);
    await until(lab, () => !lab.moment.isLeading);
    expect(lab.playback.pace).toBe(chosen);
    // As long again as time would have been slow.
    const fromMs = drawn.ms;
    await until(lab, () => drawn.ms - fromMs > SLOW_MS);
    expect(lab.playback).toMatchObject({ pace: chosen, speed: chosen });
  });

  it('with reduced motion by words and the chip, at the same speed', async () => {
    const lab = await openHogs(SEC);
    lab.prefs.reducedMotion = true;
    lab.playback.play();
    await until(lab, () => lab.moment.hasChip);
    expect(lab.moment).toMatchObject({ isLeading: false, sight: { kind: 'sharedCore' } });
    expect(lab.playback.pace).toBe(SEC);
  });

  it('never where the reader does not want them', async () => {
    const lab = await openHogs(SEC);
    lab.prefs.leadsEye = false;
    expect(await announced(lab, 8 * SEC)).toBeNull();
    expect(lab.moment).toMatchObject({ hasChip: false, sight: null });
    expect(lab.playback.pace).toBe(SEC);
  });

  it('once each, until time jumps', async () => {
    const lab = await openHogs(500e6);
    const first = await announced(lab, 60 * SEC);
    await until(lab, () => !lab.moment.isLeading);
    expect(await announced(lab, lab.run.nowNs + 4 * SEC)).toBeNull();
    lab.playback.pause();
    await idle(lab);
    await lab.playback.seek(SEC);
    await idle(lab);
    expect(await announced(lab, 60 * SEC)).toMatchObject({ kind: first?.kind });
  });
});

/** The times at which two jobs come to share a core while another core has none, by stepping through all switches. */
async function sharings(lab: Lab, untilNs: number): Promise<readonly number[]> {
  const [lane] = lab.run.lanes;
  const times: number[] = [];
  /** The job of each CPU; a daemon that runs for a while takes it from nobody. */
  const owner = new Map<number, number>();
  let before = '';
  while (lane && (await lab.playback.step(0, 'switch')) && lab.run.nowNs <= untilNs) {
    const curr = lane.frame.cpu('curr');
    for (const [cpu, task] of curr.entries()) {
      if (task >= 0 && lane.isBackground(task)) continue;
      for (const [other, own] of owner) if (own === task) owner.delete(other);
      if (task >= 0) owner.set(cpu, task);
      else owner.delete(cpu);
    }
    const { core } = lane.tree;
    const jobs = [...new Set(core)].map((c) =>
      core.flatMap((of, cpu) => (of === c ? (owner.get(cpu) ?? []) : [])),
    );
    const isFree = jobs.some((own) => own.length === 0);
    const pairs = JSON.stringify(isFree ? jobs.filter((own) => own.length > 1) : []);
    if (pairs !== before && pairs !== '[]') times.push(lab.run.nowNs);
    before = pairs;
  }
  return times;
}

describe('J', { timeout: 60_000 }, () => {
  it('goes to each moment that playing may announce, once and in order', async () => {
    const lab = await led('s.bfs-smt');
    const fromNs = lab.run.nowNs;
    const untilNs = 250e6;
    const all = await sharings(lab, untilNs);
    expect(all.length).toBeGreaterThan(4);
    await lab.playback.seek(fromNs);
    const visited: number[] = [];
    for (;;) {
      await lab.steps.toMoment();
      const { nowNs } = lab.run;
      if (nowNs > untilNs || visited.at(-1) === nowNs) break;
      expect(lab.moment.sight).toMatchObject({ kind: 'sharedCore', atNs: nowNs });
      visited.push(nowNs);
    }
    expect(visited).toEqual(all);
  });

  it('W then explains the decision that put the second of two sharing jobs there', async () => {
    const lab = await led('s.bfs-smt');
    const [lane] = lab.run.lanes;
    for (let i = 0; i < 3; i++) {
      await lab.steps.toMoment();
      const { sight } = lab.moment;
      if (!sight || !lane) throw new Error('no moment');
      const { decision, also } = await lab.run.explain(0, sight.asked.of);
      expect((decision ?? also)?.task).toBe(sight.tasks[0]);
      expect((decision ?? also)?.cpu).toBe(sight.to);
      expect(lane.frame.cpu('curr')[sight.to]).toBe(sight.tasks[0]);
      expect(lab.speech.announced?.asked.key).toBe(sight.asked.key);
    }
  });
});
