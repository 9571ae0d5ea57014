/**
 * Queues of EEVDF: a line of virtual time for each, with its average V. Each thread has a row with a bar from its
 * virtual runtime to its virtual deadline, and its token at the edge. Rows are sorted by deadline, so the first full
 * bar from the top runs next. Groups have their own lines, one below the other.
 */
import { roundUp125 } from '../../../lib/scale';
import { US } from '../../../lib/units';
import type { LineEntity } from '../../../sim/types/LineEntity';
import type { LineView } from '../../../sim/types/LineView';
import type { QueueDetail } from '../../../sim/types/QueueDetail';
import type { PlacedParts } from '../placed';

/** A thread or group in its row. */
export interface Bar {
  readonly entity: LineEntity;
  /** Pixels of its virtual runtime and of its virtual deadline. */
  readonly from: number;
  readonly to: number;
  /** Middle of the row. */
  readonly y: number;
  /** Height of the bar. */
  readonly thick: number;
  /** Side and middle of the token: at the edge, where it covers no bar and is on no side of V. */
  readonly size: number;
  readonly x: number;
}

/** Number of threads whose virtual runtime is in a part of the line. */
export interface LineBin {
  readonly from: number;
  readonly to: number;
  readonly eligible: number;
  readonly ahead: number;
}

/** A line with its place. */
export interface DrawnLine {
  readonly line: LineView;
  readonly top: number;
  /** Baseline of the axis. */
  readonly base: number;
  readonly left: number;
  readonly width: number;
  /** Virtual time minus V at the left end, and the ns from there to the right end. */
  readonly fromNs: number;
  readonly spanNs: number;
  readonly bars: readonly Bar[];
  /** Counts of threads without a row, by parts of the line, and the line of words above them. */
  readonly bins: readonly LineBin[];
  readonly binsTop: number;
  readonly waiting: number;
  /** Number of threads that sleep but stay in the queue for a while. */
  readonly delayed: number;
}

const HEAD = 22;
const FOOT = 60;
const SIDE = 18;
/** Room on both sides of the tokens. */
const EDGE = 5;
/** Up to this number, rows fill the picture; with more rows they are lower. */
const ROWS_HEIGHT = 400;
const HIGHEST_ROW = 24;
/** A lower row would not be distinguishable from its neighbours. */
const LOWEST_ROW = 8;
/** Room for words right of a deadline, as a part of the distance from V. */
const WORDS = 0.25;
/** If there are many threads, only those that are served first have rows; the others are counted. */
const FIRST = 8;
const BINS = 20;
const BINS_HEIGHT = 96;

/** Sorted by deadline; at equal deadlines, ineligible ones last. */
export function inOrder(entities: readonly LineEntity[]): readonly LineEntity[] {
  return [...entities].sort(
    (a, b) => a.deadlineNs - b.deadlineNs || Number(b.eligible) - Number(a.eligible),
  );
}

/** Entities with rows: all, or of many the running one, the next one, and the first to be served. */
function withRows(sorted: readonly LineEntity[]): readonly LineEntity[] {
  if (sorted.length * LOWEST_ROW <= ROWS_HEIGHT) return sorted;
  const eligible = sorted.filter((e) => e.eligible && !e.running).slice(0, FIRST);
  const chosen = new Set([...sorted.filter((e) => e.running || e.next), ...eligible]);
  return sorted.filter((e) => chosen.has(e));
}

function binsOf(
  rest: readonly LineEntity[],
  toX: (ns: number) => number,
  left: number,
  width: number,
): readonly LineBin[] {
  const step = width / BINS;
  // No part lies on both sides of V.
  const zero = toX(0);
  const before = Math.max(1, Math.round((zero - left) / step));
  const after = Math.max(1, BINS - before);
  const edges = [
    ...Array.from({ length: before }, (_, i) => left + ((zero - left) * i) / before),
    ...Array.from({ length: after + 1 }, (_, i) => zero + ((left + width - zero) * i) / after),
  ];
  const bins = edges.slice(1).map((to, i) => ({ from: edges[i] ?? 0, to, eligible: 0, ahead: 0 }));
  for (const { aheadNs, eligible } of rest) {
    const x = toX(aheadNs);
    // A value exactly at V belongs to the left of it, as in the kernel's rule.
    const found = bins.findIndex((b, i) =>
      eligible ? x <= b.to + 1e-6 || i === before - 1 : i >= before && x < b.to,
    );
    const bin = bins[found < 0 ? bins.length - 1 : found];
    if (!bin) continue;
    if (eligible) bin.eligible += 1;
    else bin.ahead += 1;
  }
  return bins;
}

function lineIn(
  line: LineView,
  top: number,
  width: number,
  cpu: number,
  out: PlacedParts,
): DrawnLine {
  const sorted = inOrder(line.entities);
  const rows = withRows(sorted);
  const pitch = Math.min(HIGHEST_ROW, Math.max(LOWEST_ROW, ROWS_HEIGHT / Math.max(1, rows.length)));
  const size = pitch >= 9 ? Math.min(20, pitch - 2) : 6;
  const left = size + 2 * EDGE;
  const wide = width - left - SIDE;
  const least = Math.min(0, ...sorted.flatMap((e) => [e.aheadNs, e.deadlineNs]));
  const most = Math.max(
    0,
    ...sorted.map((e) => {
      const hasWords = e.running || e.next || e.delayed;
      return Math.max(e.aheadNs, e.deadlineNs) * (hasWords ? 1 + WORDS : 1.04);
    }),
  );
  // Few sizes, so that the line does not change with every thread.
  const step = roundUp125(Math.max(100 * US, (most - least) / 12), 10 * US);
  const fromNs = Math.floor(least / step) * step;
  const spanNs = Math.max(step, Math.ceil(most / step) * step - fromNs);
  const toX = (ns: number) => left + ((ns - fromNs) / spanNs) * wide;
  const token = EDGE + size / 2;
  const bars = rows.map((entity, i) => {
    const y = top + HEAD + (i + 0.5) * pitch;
    const from = toX(entity.aheadNs);
    if (entity.task !== null)
      out.placed.push({
        task: entity.task,
        kind: entity.eligible && !entity.delayed ? 'queue' : 'ahead',
        cpu,
        x: token,
        y,
        size,
      });
    return {
      entity,
      from,
      to: toX(entity.deadlineNs),
      y,
      thick: Math.max(4, pitch * 0.4),
      size,
      x: token,
    };
  });
  const has = new Set(rows);
  const rest = sorted.filter((e) => !has.has(e));
  const rowsEnd = top + HEAD + rows.length * pitch;
  return {
    line,
    top,
    base: rowsEnd + (rest.length > 0 ? BINS_HEIGHT : 0) + 6,
    left,
    width: wide,
    fromNs,
    spanNs,
    bars,
    bins: rest.length > 0 ? binsOf(rest, toX, left, wide) : [],
    binsTop: rowsEnd,
    waiting: sorted.filter((e) => !e.running && !e.delayed).length,
    delayed: sorted.filter((e) => e.delayed).length,
  };
}

/** Places all lines of a CPU; returns them with the height that they need. */
export function linesOfTime(
  detail: Pick<QueueDetail, 'lines'>,
  width: number,
  cpu: number,
  out: PlacedParts,
): { readonly lines: readonly DrawnLine[]; readonly height: number } {
  const lines: DrawnLine[] = [];
  let top = 0;
  for (const line of detail.lines) {
    const drawn = lineIn(line, top, width, cpu, out);
    lines.push(drawn);
    top = drawn.base + FOOT;
  }
  return { lines, height: Math.max(80, top) };
}
