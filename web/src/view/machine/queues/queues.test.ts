import { describe, expect, it } from 'vitest';
import type { Frame, QueueRow } from '../../../sim/frame';
import type { QueuePart } from '../../../sim/types/QueuePart';
import type { QueueShape } from '../../../sim/types/QueueShape';
import type { PlacedParts } from '../placed';
import { columnsIn } from './columns';
import type { QueueInput } from './input';
import { ladderIn } from './ladder';
import { largeOf } from './large';
import { linesOf } from './list';
import { ringIn } from './ring';
import { stripsIn } from './strip';
import { treesIn } from './tree';

const part = (kind: QueuePart['kind'], places: number): QueuePart => ({
  id: kind,
  label: kind,
  kind,
  places,
  perPlace: 4,
  first: 0,
  focus: kind === 'levels' && places === 64 ? [40, 55] : null,
});
const shapes: Readonly<Record<string, QueueShape>> = {
  ladder: shape([part('levels', 64)], [part('levels', 64)]),
  ladder256: shape([part('levels', 256)], [part('levels', 256)]),
  calendar: shape([], [part('levels', 64), part('ring', 64), part('levels', 64)]),
  tree: shape([], [part('list', 1), part('tree', 1)]),
  axis: shape([part('deadlines', 1)], []),
  virtualTime: shape([], [part('list', 1), part('virtualTime', 1)]),
  list: shape([], [part('list', 1)]),
};

function shape(global: QueuePart[], perCpu: QueuePart[]): QueueShape {
  const domains = [{ name: 'MC', level: 0, cpus: [0, 1, 2, 3] }];
  return { global, perCpu, gauge: null, beat: null, domains };
}

/** A fixed pattern of `n` threads in a queue. */
function rowsOf(of: QueueShape, n: number, cpus: number): QueueRow[] {
  const isGlobal = of.global.length > 0;
  const at = isGlobal ? 0 : of.perCpu.length > 1 ? 1 : 0;
  const places = (isGlobal ? of.global : of.perCpu)[at]?.places ?? 1;
  const rows = Array.from({ length: n }, (_, task) => ({
    queue: isGlobal ? -1 : task % cpus,
    task,
    key: (task % 37) * 1e6,
    position: 0,
    part: at,
    place: (40 + ((task * task) % 9)) % places,
  }));
  return rows.sort((a, b) => a.place - b.place);
}

function input(of: QueueShape, n: number, cpus = 8): QueueInput {
  const rows = rowsOf(of, n, cpus);
  const zeros = new Float64Array(Math.max(n, cpus));
  const frame = {
    cpus,
    tasks: n,
    nowNs: 5e8,
    queue: () => rows,
    cpu: () => zeros,
    cpuIfAny: () => zeros,
    task: (name: string) => (name === 'allowedCount' ? zeros.slice().fill(cpus) : zeros),
    taskIfAny: () => null,
  };
  return {
    frame: frame as unknown as Frame,
    scheduler: 'ule',
    shape: of,
    names: { cgroups: ['web'], taskGroup: [] },
    isBackground: () => false,
  };
}

const shownAndCounted = (out: PlacedParts) =>
  out.placed.length + out.overflow.reduce((sum, o) => sum + o.count, 0);

describe('queues in their shapes', () => {
  const order = (cpus: number) => Array.from({ length: cpus }, (_, i) => i);

  for (const [name, of] of Object.entries(shapes)) {
    it(`shows or counts all waiting threads: ${name}`, () => {
      for (const n of [0, 1, 5, 60, 500, 3000])
        for (const cpus of [1, 8, 64, 192])
          for (const [w, h] of [
            [360, 84],
            [900, 180],
          ] as const) {
            const out: PlacedParts = { placed: [], overflow: [] };
            const rect = { x: 0, y: 100, w, h };
            stripsIn(rect, order(cpus), input(of, n, cpus), out);
            expect(shownAndCounted(out), `${String(n)} on ${String(cpus)}`).toBe(n);
            const isOut = (p: PlacedParts['placed'][number]) =>
              p.x < -8 || p.x > w + 8 || p.y - p.size / 2 < 99 || p.y + p.size / 2 > 100 + h;
            expect(out.placed.filter(isOut)).toEqual([]);
          }
    });
  }

  it('does not let threads of a ring cover each other', () => {
    const of = input(shapes['calendar'] as QueueShape, 90, 1);
    const out: PlacedParts = { placed: [], overflow: [] };
    const hands = { cpu: 0, slots: 64, insert: 3, remove: 3 };
    const ring = ringIn({ x: 0, y: 0, w: 300, h: 300 }, 28, of.frame.queue(), hands, of, out);
    expect(out.placed.length + ring.lost).toBe(90);
    expect([...ring.counts].reduce((a, b) => a + b, 0)).toBe(90);
    const nearest = out.placed.flatMap((a) =>
      out.placed.flatMap((b) => (a === b ? [] : [Math.hypot(a.x - b.x, a.y - b.y) - a.size])),
    );
    expect(Math.min(...nearest)).toBeGreaterThanOrEqual(-0.01);
  });

  it('has room for a long tree, in its order and without overlaps', () => {
    for (const [cpus, n, w] of [
      [8, 24, 700],
      [8, 300, 700],
      [192, 1500, 365],
    ] as const) {
      const of = input(shapes['tree'] as QueueShape, n, cpus);
      const out: PlacedParts = { placed: [], overflow: [] };
      const all = columnsIn({ x: 0, y: 0, w, h: 110 }, order(cpus), of, out);
      expect(out.overflow).toEqual([]);
      expect(all.lost).toBe(0);
      const key = new Map(of.frame.queue().map((row) => [row.task, row.key]));
      const covered = out.placed.flatMap((a, i) =>
        out.placed
          .slice(i + 1)
          .filter(
            (b) =>
              Math.abs(a.x - b.x) < a.size - 0.01 &&
              Math.abs(a.y - b.y) < a.size - 0.01 &&
              a.cpu === b.cpu,
          ),
      );
      expect(covered).toEqual([]);
      if (n > 24) continue;
      // One pile for each CPU: a thread that is further ahead stands higher.
      for (const { cpu } of all.columns) {
        const pile = out.placed.filter((p) => p.cpu === cpu).sort((a, b) => b.y - a.y);
        const keys = pile.map((p) => key.get(p.task) ?? 0);
        expect(keys).toEqual([...keys].sort((a, b) => a - b));
      }
    }
  });

  it('pushes no thread across V, however full one side of it is', () => {
    const rect = { x: 0, y: 0, w: 1240, h: 250 };
    for (const [n, owed] of [
      [3, 1],
      [40, 31],
      [40, 2],
      [500, 450],
      [5000, 100],
    ] as const) {
      const of = input(shapes['virtualTime'] ?? shape([], []), n);
      const rows = of.frame.queue().map((row, i) => ({
        ...row,
        queue: 0,
        key: i < owed ? -2e6 + i : 1e4 + i * 1e4,
      }));
      const out: PlacedParts = { placed: [], overflow: [] };
      const all = columnsIn(rect, order(8), { ...of, waiting: rows }, out);
      const v = all.base - all.averageUp;
      for (const { task, kind, y, size } of out.placed) {
        const isOwed = (rows.find((row) => row.task === task)?.key ?? 0) <= 0;
        expect(kind).toBe(isOwed ? 'queue' : 'ahead');
        if (isOwed) expect(y - size / 2).toBeGreaterThan(v - 0.1);
        else expect(y + size / 2).toBeLessThan(v + 0.1);
        expect(y - size / 2).toBeGreaterThanOrEqual(0);
        expect(y + size / 2).toBeLessThanOrEqual(all.base + 0.1);
      }
      expect(shownAndCounted(out)).toBe(n);
      // V is placed so that both sides have room.
      if (n <= 500) expect(out.overflow).toEqual([]);
    }
  });

  it('keeps threads near their deadlines on the axis', () => {
    const of = input(shapes['axis'] as QueueShape, 9, 8);
    const rows = of.frame.queue().map((row, i) => ({ ...row, key: 6e8 + i * 3e6 }));
    const out: PlacedParts = { placed: [], overflow: [] };
    stripsIn(
      { x: 0, y: 0, w: 700, h: 90 },
      order(8),
      { ...of, frame: { ...of.frame, queue: () => rows } as unknown as Frame },
      out,
    );
    expect(out.placed).toHaveLength(9);
    for (const p of out.placed) expect(p.x - (p.stem?.x ?? 0)).toBeLessThan(40);
  });

  it('keeps the order of a list in its column, from the bottom up', () => {
    const of = input(shapes['ladder'] as QueueShape, 5);
    const rows = of.frame.queue().map((row) => ({ ...row, place: 45 }));
    const out: PlacedParts = { placed: [], overflow: [] };
    const rect = { x: 0, y: 0, w: 400, h: 180 };
    const ladder = ladderIn(rect, part('levels', 64), rows, -1, of, out);
    expect(out.placed.map((p) => p.task)).toEqual(rows.map((row) => row.task));
    expect(ladder.first).toBe(45);
    expect(ladder.used).toBe(1);
  });

  it('draws rings for CPUs only where there is room', () => {
    const forms = [4, 192].map((cpus) => {
      const out: PlacedParts = { placed: [], overflow: [] };
      const of = input(shapes['calendar'] as QueueShape, 8, cpus);
      return columnsIn({ x: 0, y: 0, w: 900, h: 180 }, order(cpus), of, out).form;
    });
    expect(forms).toEqual(['ring', 'list']);
  });

  it('draws the tree as it is, and bins where single nodes are not distinguishable', () => {
    const node = (entity: number, parent: number | null, n: number) => ({
      entity,
      parent,
      red: false,
      running: false,
      task: n,
      opens: null,
      aheadNs: n * 1e5,
      weight: 1024,
      buddies: [],
    });
    const tree = { tree: 0, group: 0, minVruntimeNs: 0 };
    const three = [node(1, 2, 1), node(2, null, 2), node(3, 2, 3)];
    const out: PlacedParts = { placed: [], overflow: [] };
    const small = {
      trees: [{ ...tree, nodes: three }],
      lines: [],
      weighed: [],
      domains: [],
      idle: null,
      numbers: [],
    };
    const [drawn] = treesIn(small, 300, 0, out).trees;
    expect(drawn?.nodes.map((k) => k.parent !== null)).toEqual([true, false, true]);
    expect(out.placed.map((p) => p.task)).toEqual([1, 2, 3]);
    const many = Array.from({ length: 500 }, (_, i) => node(i, i === 0 ? null : i - 1, i));
    const large = {
      trees: [{ ...tree, nodes: many }],
      lines: [],
      weighed: [],
      domains: [],
      idle: null,
      numbers: [],
    };
    const [binned] = treesIn(large, 300, 0, { placed: [], overflow: [] }).trees;
    expect(binned?.bins.reduce((a, b) => a + b, 0)).toBe(500);
  });

  it('says in words where each thread stands', () => {
    for (const of of Object.values(shapes)) {
      const lines = linesOf(0, input(of, 40, 1), null);
      expect(lines).toHaveLength(40);
      for (const line of lines) expect(line.place).not.toBe('');
      expect(largeOf(300, 0, input(of, 40, 1), null).height).toBeGreaterThan(0);
    }
  });

  it('names the control group of a queue, and numbers other groups', () => {
    const place = (place: number) => {
      const one = input(shapes['tree'] as QueueShape, 1, 1);
      const rows = one.frame.queue().map((r) => ({ ...r, place }));
      const frame = { ...one.frame, queue: () => rows } as unknown as Frame;
      return linesOf(0, { ...one, frame }, null)[0]?.place;
    };
    expect([0, 1, 2].map(place)).toEqual(['tree of the cpu', 'control group web', 'task group 2']);
  });

  it('says the distance of one thread, on either side of what it is counted from', () => {
    const key = (shape: string, row: Partial<QueueRow>) => {
      const one = input(shapes[shape] as QueueShape, 1, 1);
      const rows = one.frame.queue().map((r) => ({ ...r, ...row }));
      const frame = { ...one.frame, queue: () => rows } as unknown as Frame;
      return linesOf(0, { ...one, scheduler: 'cfs', frame }, null)[0]?.key;
    };
    expect(key('tree', { key: 1e7 })).toBe('10.0 ms ahead of min_vruntime');
    expect(key('tree', { key: -1e7 })).toBe('10.0 ms behind min_vruntime');
    expect([1, 2].map((place) => key('calendar', { place }))).toEqual([
      '1 slot to go',
      '2 slots to go',
    ]);
  });
});
