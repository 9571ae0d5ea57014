import { describe, expect, it } from 'vitest';
import { History } from './history';
import { TraceSchema, UNKNOWN } from './trace';
import { CATALOG } from './test-catalog';

const schema = new TraceSchema(CATALOG, 'bfs');
const SWITCH = CATALOG.traceKinds.indexOf('switch');
const WAKEUP = CATALOG.traceKinds.indexOf('wakeup');
const MIGRATE = CATALOG.traceKinds.indexOf('migrate');

/** Rows in the order of the catalog's columns. */
function rows(...list: Record<string, number>[]): Float64Array {
  return Float64Array.from(
    list.flatMap((row) => CATALOG.frame.trace.map((name) => row[name] ?? -1)),
  );
}

describe('History', () => {
  it('turns switches into slices', () => {
    const history = new History(schema, 2);
    history.append(
      rows(
        { seq: 0, atNs: 10, kind: SWITCH, cpu: 0, task: 3, other: -1 },
        { seq: 1, atNs: 30, kind: SWITCH, cpu: 0, task: 4, other: 3 },
      ),
      false,
    );
    history.append(rows({ seq: 2, atNs: 50, kind: SWITCH, cpu: 0, task: -1, other: 4 }), true);
    expect(history.slices[0]?.map((s) => [s.from, s.to, s.task])).toEqual([
      [10, 30, 3],
      [30, 50, 4],
      [50, Infinity, -1],
    ]);
    expect(history.slices[1]).toEqual([]);
  });

  it('knows the last record that brought each thread where it is, until time jumps', () => {
    const history = new History(schema, 2);
    const wake = { seq: 0, atNs: 5, kind: WAKEUP, cpu: 0, task: 3, other: 1, decision: 7, also: 8 };
    history.append(
      rows(
        wake,
        { seq: 1, atNs: 10, kind: SWITCH, cpu: 1, task: 3, other: -1, decision: 9, also: 7 },
        { seq: 2, atNs: 10, kind: MIGRATE, cpu: 1, task: 3, other: 0, decision: 7, also: 9 },
      ),
      false,
    );
    expect(history.placings.get(3)).toMatchObject({ kind: 'migrate', decision: 7, also: 9 });
    expect(history.slices[1]?.at(-1)).toMatchObject({ decision: 9, also: 7 });
    expect(history.moves.at(-1)).toMatchObject({ decision: 7, also: 9 });
    history.append(rows({ ...wake, task: 4 }), false);
    expect(history.placings.tasks).toEqual([4]);
  });

  it('makes no objects for records that are not kept', () => {
    const history = new History(schema, 1);
    const tick = CATALOG.traceKinds.length;
    const list = Array.from({ length: 50 }, (_, seq) => ({
      seq,
      atNs: seq,
      kind: tick,
      task: 300,
    }));
    history.append(rows(...list), false);
    expect(history.placings.tasks).toEqual([]);
    // Switches without cost share one object, whatever the number of slices.
    const runs = list.map((row) => ({
      ...row,
      kind: SWITCH,
      cpu: 0,
      other: -1,
      lockNs: 0,
      switchNs: 0,
      refillNs: 0,
    }));
    history.append(rows(...runs), true);
    expect(new Set(history.slices[0]?.map((slice) => slice.cost)).size).toBe(1);
    expect(history.placings.get(300)).toMatchObject({ kind: 'switch', atNs: 49, cpu: 0 });
    expect(history.placings.get(299)).toBeUndefined();
    expect(history.placings.get(5_000)).toBeUndefined();
  });

  it('distinguishes a slice whose beginning is not known from one without a decision', () => {
    const history = new History(schema, 1);
    history.append(rows({ seq: 91, atNs: 900, kind: SWITCH, cpu: 0, task: 2, other: 1 }), false);
    expect(history.slices[0]?.map((s) => s.decision)).toEqual([UNKNOWN, -1]);
  });

  it('knows which thread ran before the first kept row', () => {
    const history = new History(schema, 1);
    history.append(
      rows(
        { seq: 90, atNs: 700, kind: MIGRATE, cpu: 0, task: 1, other: 5 },
        { seq: 91, atNs: 900, kind: SWITCH, cpu: 0, task: 2, other: 1 },
      ),
      false,
    );
    expect(history.slices[0]?.[0]).toMatchObject({ from: 700, to: 900, task: 1 });
  });

  it('shows a thread that has run since before a jump, though it never left its CPU', () => {
    const history = new History(schema, 3);
    const first = { seq: 90, atNs: 700, kind: SWITCH, cpu: 0, task: 2, other: 1 };
    history.append(rows(first), false);
    history.settle([2, 7, -1]);
    history.settle([2, 7, -1]);
    const seen = (cpu: number) => history.slices[cpu]?.map((s) => [s.from, s.to, s.task]);
    expect(seen(1)).toEqual([[700, Infinity, 7]]);
    expect(seen(2)).toEqual([]);
    const next = { seq: 91, atNs: 900, kind: SWITCH, cpu: 1, task: 3, other: 7 };
    history.append(rows(next), true);
    expect(seen(1)).toEqual([
      [700, 900, 7],
      [900, Infinity, 3],
    ]);
  });

  it('keeps as many slices of 1,024 CPUs as of 66, however long they run', () => {
    for (const [cpus, most] of [
      [8, 3_000],
      [1_024, 196],
    ] as const) {
      const history = new History(schema, cpus);
      for (let seq = 0; seq < 4_000; seq++)
        history.append(
          rows({ seq, atNs: seq, kind: SWITCH, cpu: 5, task: seq % 2, other: 1 - (seq % 2) }),
          seq > 0,
        );
      const kept = history.slices[5] ?? [];
      expect(kept.length).toBeLessThanOrEqual(most + 1);
      expect(kept.length).toBeGreaterThan(most / 2);
      expect(history.knownFrom).toBe(kept[0]?.from);
    }
  });

  it('keeps 2,000 moves and wake-ups, however many there are', () => {
    const history = new History(schema, 2);
    for (let seq = 0; seq < 5_000; seq++)
      history.append(
        rows(
          { seq: 2 * seq, atNs: seq, kind: MIGRATE, cpu: seq % 2, task: 1, other: 1 - (seq % 2) },
          { seq: 2 * seq + 1, atNs: seq, kind: WAKEUP, cpu: 0, task: 3, other: 1 },
        ),
        seq > 0,
      );
    for (const list of [history.moves, history.wakes]) {
      expect(list.length).toBeLessThanOrEqual(2_000);
      expect(list.length).toBeGreaterThan(1_000);
      expect(list.at(-1)?.atNs).toBe(4_999);
    }
  });

  it('knows where a new thread ran first, which is not a move', () => {
    const history = new History(schema, 2);
    const fork = { seq: 0, atNs: 5, kind: CATALOG.traceKinds.indexOf('fork'), cpu: 0, task: 3 };
    const run = { seq: 1, atNs: 9, kind: SWITCH, cpu: 1, task: 3, other: -1 };
    history.append(rows(fork, run), false);
    expect(history.firstPlace).toEqual({ atNs: 9, task: 3, cpu: 1 });
    expect(history.moves).toEqual([]);
    history.append(rows({ ...run, seq: 2, atNs: 20 }), true);
    expect(history.firstPlace?.atNs).toBe(9);
    expect(history.slices[1]?.at(-1)?.from).toBe(20);
  });

  it('forgets the past after a jump', () => {
    const history = new History(schema, 1);
    history.append(rows({ seq: 0, atNs: 10, kind: MIGRATE, cpu: 0, task: 1, other: 5 }), false);
    expect(history.moves).toMatchObject([{ from: 5, to: 0, task: 1 }]);
    const before = history.generation;
    history.append(rows(), false);
    expect(history.moves).toEqual([]);
    expect(history.generation).toBeGreaterThan(before);
  });
});
