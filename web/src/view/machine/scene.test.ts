import { describe, expect, it } from 'vitest';
import { type Frame, type QueueRow, TaskState } from '../../sim/frame';
import { SHAPES, specOf, treeOf } from '../../sim/test-machines';
import { waitersOf } from '../../sim/test-waiters';
import type { QueuePart } from '../../sim/types/QueuePart';
import { areasOf } from './areas';
import { jobsOn } from './jobs-on';
import { layoutMachine } from './layout';
import { type SceneInput, sceneOf } from './scene';
import { slotParts } from './slot';

const CPUS = 8;
/** Threads from this number on are daemons. */
const DAEMONS = 900;
const tree = treeOf(specOf(SHAPES['desktop'] ?? { cores: [] }));
const layout = layoutMachine(areasOf(tree), { width: 380, height: 204 });
const ALL = { daemons: true, queues: true };

const part = (kind: QueuePart['kind']): QueuePart => ({
  id: kind,
  label: kind,
  kind,
  places: 1,
  perPlace: 1,
  first: 0,
  focus: null,
});

/** A machine with `n` threads: the first ones run, the others wait in the queue of `queueOf`. */
function input(
  tasks: readonly number[],
  queueOf: (i: number) => number,
  more: {
    cpus?: number;
    asleep?: readonly number[];
    stopped?: readonly number[];
    pinned?: boolean;
    nowNs?: number;
  } = {},
): SceneInput {
  const { cpus = CPUS, asleep = [], stopped = [], pinned = false, nowNs = 1 } = more;
  const running = tasks.slice(0, cpus);
  const rows = tasks.slice(cpus).map((task, i): QueueRow => ({
    queue: queueOf(i),
    task,
    key: -i,
    position: i,
    part: 0,
    place: 0,
  }));
  const n = 1000;
  const columns: Record<string, Float64Array> = {
    state: new Float64Array(n),
    cpu: new Float64Array(n),
    allowedCount: new Float64Array(n).fill(pinned ? 1 : cpus),
  };
  running.forEach((task, cpu) => {
    (columns['state'] as Float64Array)[task] = TaskState.running;
    (columns['cpu'] as Float64Array)[task] = cpu;
  });
  for (const task of asleep) (columns['state'] as Float64Array)[task] = TaskState.sleeping;
  for (const task of stopped) (columns['state'] as Float64Array)[task] = TaskState.stopped;
  const waiters = () => waitersOf(rows);
  const frame = { cpus, nowNs, tasks: n, waiters, task: (name: string) => columns[name] };
  const isGlobal = rows.some((row) => row.queue < 0);
  const shape = {
    global: isGlobal ? [part('deadlines')] : [],
    perCpu: isGlobal ? [] : [part('list')],
    gauge: null,
    beat: null,
    domains: [],
  };
  return {
    scheduler: 'ule',
    frame: frame as unknown as Frame,
    shape,
    names: { cgroups: [], taskGroup: [] },
    limits: [],
    isBackground: (task) => task >= DAEMONS,
  };
}

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);

describe('the scene', () => {
  it('shows or counts all waiting threads, inside of pockets or of the line', () => {
    for (const n of [8, 9, 11, 40, 500])
      for (const queueOf of [(i: number) => i % CPUS, () => 3, () => -1]) {
        const { placed, overflow, waiting } = sceneOf(layout, input(upTo(n), queueOf), ALL);
        const queued = placed.filter((p) => p.kind === 'queue');
        expect(queued.length + overflow.reduce((sum, o) => sum + o.count, 0)).toBe(n - CPUS);
        expect(waiting).toBe(n - CPUS);
        for (const { cpu, x, y, size } of queued) {
          const home = layout.slots[cpu]?.rect ?? layout.line;
          expect(x - size / 2).toBeGreaterThanOrEqual(home.x - 0.01);
          expect(x + size / 2).toBeLessThanOrEqual(home.x + home.w + 0.01);
          expect(y - size / 2).toBeGreaterThanOrEqual(home.y - 0.01);
          expect(y + size / 2).toBeLessThanOrEqual(home.y + home.h + 0.01);
        }
      }
  });

  it('keeps running threads in place, whichever threads wait', () => {
    const slots = (n: number) =>
      sceneOf(
        layout,
        input(upTo(n), () => -1),
        ALL,
      ).placed.filter((p) => p.kind === 'slot');
    expect(slots(500)).toEqual(slots(8));
  });

  it('has the threads that a limit holds in the box of their control group', () => {
    const size = { width: 380, height: 260 };
    const boxed = layoutMachine(areasOf(tree), size, false, '', 1);
    const [box] = boxed.limits;
    if (!box) throw new Error('no box');
    expect(Math.max(...boxed.slots.map(({ rect }) => rect.y + rect.h))).toBeLessThan(box.y);
    expect(box.y + box.h).toBeLessThanOrEqual(boxed.line.y);
    const of = input(upTo(13), (i) => i % 4);
    const held = [0, 1].map((cpu) => ({ cpu, sinceNs: 0 }));
    const limit = {
      ...{ name: 'web', groups: [0], quotaNs: 5e7, periodNs: 1e8, leftNs: 0 },
      ...{ filledAtNs: 0, refillAtNs: 1e8, held },
    };
    const frame = {
      ...of.frame,
      task: (name: string) =>
        name === 'allowedCount' ? new Float64Array(1000) : of.frame.task(name),
    } as unknown as Frame;
    const names = { cgroups: ['web'], taskGroup: new Array<number>(1000).fill(0) };
    const scene = sceneOf(boxed, { ...of, frame, names, limits: [limit] }, ALL);
    const there = scene.placed.filter(({ kind }) => kind === 'held');
    // Those of cpu 0 and 1; the others wait as ever.
    expect(there.map(({ task }) => task)).toEqual([8, 9, 12]);
    expect(scene.held).toBe(3);
    expect(scene.placed.filter(({ kind }) => kind === 'queue')).toHaveLength(2);
    for (const { x, y, size: side } of there) {
      expect(x - side / 2).toBeGreaterThan(box.x);
      expect(x + side / 2).toBeLessThan(box.x + box.w);
      expect(y - side / 2).toBeGreaterThan(box.y);
      expect(y + side / 2).toBeLessThan(box.y + box.h);
    }
  });

  it('draws nothing for empty queues, and the next thread first on the line', () => {
    const empty = sceneOf(
      layout,
      input(upTo(8), () => -1),
      ALL,
    );
    expect(empty.labels).toEqual([]);
    expect(empty.words.w).toBeGreaterThan(layout.line.w - 10);
    const { placed, labels } = sceneOf(
      layout,
      input(upTo(11), () => -1),
      ALL,
    );
    expect(labels.map((l) => l.text)).toEqual(['queue']);
    // The earliest deadline: keys fall with the position.
    expect(placed.filter((p) => p.kind === 'queue').map((p) => p.task)).toEqual([10, 9, 8]);
  });

  it('leaves daemons out, and draws them small on request', () => {
    const of = input([0, 1, DAEMONS, 3, 4, 5, 6, 7, 8, DAEMONS + 1], () => 2, {
      asleep: [20, DAEMONS + 2],
    });
    const hidden = sceneOf(layout, of, { ...ALL, daemons: false });
    expect(hidden.placed.filter((p) => p.task >= DAEMONS)).toEqual([]);
    expect(hidden.waiting).toBe(1);
    expect(hidden.overflow).toEqual([]);
    const shown = sceneOf(layout, of, ALL).placed;
    const daemon = shown.find((p) => p.task === DAEMONS);
    const job = shown.find((p) => p.task === 0);
    expect(daemon?.size).toBeCloseTo(0.4 * (job?.size ?? 0));
    expect(shown.some((p) => p.task === DAEMONS + 2)).toBe(false);
  });

  it('distinguishes stopped from sleeping threads', () => {
    const of = input(upTo(8), () => -1, { asleep: [20], stopped: [21] });
    // There is no room for tokens here: only the word gives their number.
    expect(sceneOf(layout, of, ALL).labels.map((l) => l.text)).toEqual(['1 stopped', '1 asleep']);
  });

  it('knows which threads may run on an idle CPU', () => {
    expect(
      sceneOf(
        layout,
        input(upTo(10), () => 1),
        ALL,
      ).movable,
    ).toBe(2);
    expect(
      sceneOf(
        layout,
        input(upTo(10), () => 1, { pinned: true }),
        ALL,
      ).movable,
    ).toBe(0);
    // At its beginning a run has refused nobody.
    expect(
      sceneOf(
        layout,
        input(upTo(10), () => 1, { nowNs: 0 }),
        ALL,
      ).movable,
    ).toBe(0);
  });

  it('has pockets that leave the number of a token visible', () => {
    const { placed } = sceneOf(
      layout,
      input(upTo(40), (i) => i % CPUS),
      ALL,
    );
    for (const p of placed.filter((q) => q.kind === 'queue')) {
      const slot = layout.slots[p.cpu];
      if (!slot) throw new Error('no slot');
      const { token } = slotParts(slot.rect, slot.density);
      expect(p.x - p.size / 2).toBeGreaterThanOrEqual(token.x + token.w * 0.8);
    }
  });
});

describe('threads that wait in their slot', () => {
  const sizes = [380, 560, 900, 1400].flatMap((width) =>
    [120, 180, 260, 400].map((height) => ({ width, height })),
  );

  it.each([
    ['one', CPUS + 1],
    ['two each', 3 * CPUS],
    ['a crowd', 60],
  ])('stand inside of it, apart from each other and from their count: %s', (_, n) => {
    for (const size of sizes) {
      const at = layoutMachine(areasOf(tree), size);
      const { placed, overflow } = sceneOf(
        at,
        input(upTo(n), (i) => i % CPUS),
        ALL,
      );
      const waits = placed.filter(({ kind }) => kind === 'queue');
      for (const p of waits) {
        const slot = at.slots[p.cpu];
        if (!slot) throw new Error('no slot');
        const { rect } = slot;
        expect(p.x - p.size / 2).toBeGreaterThanOrEqual(rect.x);
        expect(p.x + p.size / 2).toBeLessThanOrEqual(rect.x + rect.w);
        expect(p.y + p.size / 2).toBeLessThanOrEqual(rect.y + rect.h);
        for (const q of waits)
          if (q !== p && q.cpu === p.cpu)
            expect(Math.hypot(q.x - p.x, q.y - p.y)).toBeGreaterThanOrEqual(p.size);
        const { pocket } = slotParts(rect, slot.density);
        const count = overflow.find(
          ({ y, x }) => Math.abs(x - rect.x - rect.w) < rect.w && y < rect.y + rect.h && y > rect.y,
        );
        if (count && pocket.w > pocket.h)
          expect(p.x + p.size / 2).toBeLessThanOrEqual(count.x - 12);
      }
    }
  });

  it('are at least half as large as the running one where the slot is tall', () => {
    const rows = treeOf(specOf({ packages: 4, cores: [{ count: 2, smt: 1 }] }));
    const tall = layoutMachine(areasOf(rows), { width: 560, height: 190 });
    const { placed } = sceneOf(
      tall,
      input(upTo(CPUS + 1), () => 0),
      ALL,
    );
    const [wait] = placed.filter(({ kind }) => kind === 'queue');
    const [run] = placed.filter(({ kind }) => kind === 'slot');
    expect(wait?.size).toBeGreaterThanOrEqual((run?.size ?? Infinity) / 2);
  });
});

describe('numbers of threads', () => {
  it('stand in slots only with many CPUs and far more threads', () => {
    const crowd = (cpus: number, n: number, queue: number) =>
      jobsOn(input(upTo(n), () => queue, { cpus }));
    expect(crowd(8, 500, 2)).toBeNull();
    expect(crowd(32, 40, 2)).toBeNull();
    expect(crowd(32, 500, -1)).toBeNull();
    const jobs = crowd(32, 500, 2);
    expect(jobs?.[2]).toBe(500 - 32 + 1);
    expect(jobs?.[3]).toBe(1);
    expect(jobs?.reduce((a, b) => a + b, 0)).toBe(500);
  });
});

describe('in front of a class', () => {
  it.each([
    ['one more job than CPUs', 9],
    ['a crowd', 40],
  ])('threads that wait stand outside their CPU, half as large as running ones: %s', (_, n) => {
    const hall = layoutMachine(areasOf(tree), { width: 600, height: 180 }, true);
    const tasks = Array.from({ length: n }, (__, i) => i);
    const { placed, overflow } = sceneOf(
      hall,
      input(tasks, (i) => i % CPUS),
      ALL,
    );
    const runs = placed.filter(({ kind }) => kind === 'slot');
    const waits = placed.filter(({ kind }) => kind === 'queue');
    const hidden = overflow.reduce((sum, { count }) => sum + count, 0);
    expect(runs).toHaveLength(CPUS);
    expect(waits.length + hidden).toBe(n - CPUS);
    const least = Math.min(...runs.map(({ size }) => size)) / 2;
    // The first one is tied to its CPU, under which it stands.
    const [first] = waits;
    const slot = hall.slots[first?.cpu ?? -1]?.rect;
    expect(first?.x).toBeCloseTo((slot?.x ?? 0) + (slot?.w ?? 0) / 2);
    expect(first?.stem).toEqual({ x: first?.x, y: (slot?.y ?? 0) + (slot?.h ?? 0) });
    for (const { size, x, y } of waits) {
      expect(size).toBeGreaterThanOrEqual(least);
      for (const { rect } of hall.slots)
        expect(x > rect.x && x < rect.x + rect.w && y > rect.y && y < rect.y + rect.h).toBe(false);
    }
  });
});
