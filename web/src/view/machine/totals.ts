/**
 * Sums of activity that cannot be followed one by one: the threads that had each CPU, and the moves between and
 * within cores. Every move is in exactly one of the numbers.
 */
import type { Point, Rect } from '../../lib/geom';
import type { Move } from '../../sim/history';
import type { MachineLayout } from './layout';
import { MOST_LINES } from './motion';

/** The used parts of a lane's tally; see `sim/recent.ts`. */
export interface TallyLike {
  readonly had: readonly ReadonlyMap<number, number>[];
  readonly pairs: readonly { readonly from: number; readonly to: number; readonly count: number }[];
  readonly moves: number;
  readonly fromNs: number;
  readonly toNs: number;
}

/** A thread's part of a CPU. */
export interface Band {
  /** −1: all background threads together. */
  readonly task: number;
  /** Part of the time, 0 to 1. */
  readonly part: number;
}

/** Moves between two cores, either way. */
export interface Link {
  readonly cores: readonly [number, number];
  readonly count: number;
  /** The last of them. */
  readonly newest: Move | null;
  /** From the edge of one core to the edge of the other. */
  readonly a: Point;
  readonly b: Point;
  /** Where the number stands. */
  readonly at: Point;
}

/** Moves of the workload in a span of time. */
export interface Flows {
  readonly moves: number;
  /** The pairs of cores with most moves. */
  readonly lines: readonly { readonly cores: readonly [number, number]; readonly count: number }[];
  readonly between: number;
  /** Number of moves between cores that have no line. */
  readonly rest: number;
  readonly within: number;
  /** By core, if there are any. */
  readonly withinOf: ReadonlyMap<number, number>;
}

const NO_FLOWS: Flows = {
  moves: 0,
  lines: [],
  between: 0,
  rest: 0,
  within: 0,
  withinOf: new Map(),
};

/** Shares of a CPU in the order of the threads, so that bands keep their places; background threads last. */
export function bandsOf(
  tally: TallyLike,
  cpu: number,
  isBackground: (task: number) => boolean,
): readonly Band[] {
  const length = tally.toNs - tally.fromNs;
  if (length <= 0) return [];
  const bands: Band[] = [];
  let daemons = 0;
  for (const [task, ns] of tally.had[cpu] ?? []) {
    if (isBackground(task)) daemons += ns;
    else bands.push({ task, part: ns / length });
  }
  bands.sort((a, b) => a.task - b.task);
  if (daemons > 0) bands.push({ task: -1, part: daemons / length });
  return bands;
}

/** The two cores of a move, the lower first; `coreOf` is by CPU. */
export function coresOf(
  coreOf: readonly number[],
  from: number,
  to: number,
): readonly [number, number] {
  const [a, b] = [coreOf[from] ?? -1, coreOf[to] ?? -1];
  return a <= b ? [a, b] : [b, a];
}

/** Names a pair of cores. */
export function keyOf([a, b]: readonly [number, number]): string {
  return `${String(a)} ${String(b)}`;
}

/** Sums the moves between CPUs by cores. */
export function flowsOf(tally: TallyLike, coreOf: readonly number[]): Flows {
  if (tally.moves === 0) return NO_FLOWS;
  const withinOf = new Map<number, number>();
  const byCores = new Map<string, { cores: readonly [number, number]; count: number }>();
  let [within, between] = [0, 0];
  for (const { from, to, count } of tally.pairs) {
    const cores = coresOf(coreOf, from, to);
    const [a, b] = cores;
    if (a === b) {
      within += count;
      withinOf.set(a, (withinOf.get(a) ?? 0) + count);
      continue;
    }
    between += count;
    const known = byCores.get(keyOf(cores));
    if (known) known.count += count;
    else byCores.set(keyOf(cores), { cores, count });
  }
  const lines = [...byCores.values()].sort((x, y) => y.count - x.count).slice(0, MOST_LINES);
  const rest = between - lines.reduce((sum, line) => sum + line.count, 0);
  return { moves: tally.moves, lines, between, rest, within, withinOf };
}

/** The paths of the lines between cores, and the places of their numbers. */
export function linksIn(
  layout: MachineLayout,
  flows: Flows,
  newestOf: (cores: readonly [number, number]) => Move | null,
): readonly Link[] {
  const boxes = new Map(layout.boxes.map((box) => [box.area.ids.core ?? -1, box.rect]));
  const ways = flows.lines.flatMap(({ cores, count }) => {
    const [from, to] = [boxes.get(cores[0]), boxes.get(cores[1])];
    if (!from || !to) return [];
    return [{ cores, count, a: edgeTowards(from, to), b: edgeTowards(to, from) }];
  });
  const taken: Point[] = [];
  return ways.map((way) => {
    const at = placeFor(way, ways, taken);
    taken.push(at);
    return { ...way, newest: newestOf(way.cores), at };
  });
}

/** Where the line from the middle of a rectangle to that of another leaves it. */
function edgeTowards(from: Rect, to: Rect): Point {
  const [x, y] = [from.x + from.w / 2, from.y + from.h / 2];
  const [dx, dy] = [to.x + to.w / 2 - x, to.y + to.h / 2 - y];
  const t = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : from.w / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : from.h / 2 / Math.abs(dy),
  );
  return { x: x + dx * t, y: y + dy * t };
}

/** Room that a number needs. */
const PILL = { w: 34, h: 18 } as const;

/** From one point to another. */
interface Stretch {
  readonly a: Point;
  readonly b: Point;
}

function pointOn({ a, b }: Stretch, t: number): Point {
  return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
}

/** A place at a line without another number. Crossing lines share their middle, so their numbers stand beside it. */
function placeFor(way: Stretch, all: readonly Stretch[], taken: readonly Point[]): Point {
  const middle = pointOn(way, 0.5);
  const beside = [-38, 38].map((dx) => ({ x: middle.x + dx, y: middle.y }));
  const along = [0.5, 0.3, 0.7, 0.15, 0.85].map((t) => pointOn(way, t));
  const isCrossed = all.some((other) => {
    const { x, y } = pointOn(other, 0.5);
    return other !== way && Math.hypot(x - middle.x, y - middle.y) < PILL.h;
  });
  const isFree = (p: Point) =>
    taken.every((o) => Math.abs(o.x - p.x) >= PILL.w || Math.abs(o.y - p.y) >= PILL.h);
  const places = isCrossed ? [...beside, ...along] : [...along, ...beside];
  return places.find(isFree) ?? middle;
}
