/**
 * A queue for each CPU, siblings side by side, each in its form: a list, a calendar ring if it fits, or an axis of
 * the tree's key.
 */
import type { Rect } from '../../../lib/geom';
import { roundUp125 } from '../../../lib/scale';
import { MS, US } from '../../../lib/units';
import type { QueueRow } from '../../../sim/frame';
import type { DomainShape } from '../../../sim/types/DomainShape';
import { BACKGROUND_SCALE, type PlacedParts } from '../placed';
import { alongKeys, aroundAverage } from './along';
import { gridOf, tellLost } from './grid';
import { CAPTION, handsOf, type QueueInput, waitingIn } from './input';
import { type Ring, ringIn } from './ring';

/** The queue of one CPU. */
export interface Column {
  readonly cpu: number;
  /** Middle. */
  readonly x: number;
  readonly width: number;
  readonly count: number;
}

/** A domain as a bracket under its CPUs. */
export interface Bracket {
  readonly domain: DomainShape;
  readonly y: number;
  /** Stretches from left to right. */
  readonly spans: readonly (readonly [number, number])[];
}

/** Waiting threads of each CPU, in the order of its queue. */
export type Lists = ReadonlyMap<number, readonly QueueRow[]>;

/** How the queue of a CPU is drawn. */
export type Form = 'list' | 'ring' | 'tree' | 'virtualTime';

/** The queues of all CPUs at a moment. */
export interface Columns {
  readonly kind: 'columns';
  readonly rect: Rect;
  readonly form: Form;
  readonly columns: readonly Column[];
  readonly rings: readonly Ring[];
  readonly brackets: readonly Bracket[];
  readonly waiting: number;
  /** Where the queues stand. */
  readonly base: number;
  /** The value at the base of a tree's axis, and the ns from there to the top. */
  readonly fromNs: number;
  readonly spanNs: number;
  /** Pixels from the base to V. */
  readonly averageUp: number;
  /** Height of the axis. */
  readonly height: number;
  /** Number of waiting threads that did not fit. */
  readonly lost: number;
}

/** Height of the CPU numbers under the columns. */
export const NUMBERS = 16;
/** Height of a level of brackets. */
const BRACKET = 4;
/** Narrowest column for a ring. */
const RING_FROM = 46;
/** Height of the row of threads that wait outside of the ring. */
const BESIDE = 13;

function formOf(input: QueueInput, width: number, height: number): Form {
  const kinds = input.shape.perCpu.map((p) => p.kind);
  if (kinds.includes('tree')) return 'tree';
  if (kinds.includes('virtualTime')) return 'virtualTime';
  if (kinds.includes('ring') && Math.min(width - 4, height - BESIDE) >= RING_FROM) return 'ring';
  return 'list';
}

/** Rows of each CPU in the order of the queue. */
function byCpu(rows: readonly QueueRow[]): Lists {
  const out = new Map<number, QueueRow[]>();
  for (const row of rows) {
    if (row.queue < 0) continue;
    const list = out.get(row.queue);
    if (list) list.push(row);
    else out.set(row.queue, [row]);
  }
  return out;
}

function bracketsOf(
  domains: readonly DomainShape[],
  columns: readonly Column[],
  y: number,
): readonly Bracket[] {
  return domains.map((domain) => {
    const mine = new Set(domain.cpus);
    const spans: [number, number][] = [];
    let open: [number, number] | null = null;
    for (const { cpu, x, width } of columns) {
      if (!mine.has(cpu)) {
        open = null;
        continue;
      }
      const half = width / 2 - Math.min(3, width * 0.12);
      if (open) open[1] = x + half;
      else spans.push((open = [x - half, x + half]));
    }
    return { domain, y: y + domain.level * BRACKET, spans };
  });
}

/** Places the waiting threads of each CPU. */
export function columnsIn(
  rect: Rect,
  order: readonly number[],
  input: QueueInput,
  out: PlacedParts,
): Columns {
  const width = rect.w / Math.max(1, order.length);
  const lists = byCpu(waitingIn(input));
  const columns = order.map((cpu, i) => ({
    cpu,
    x: rect.x + (i + 0.5) * width,
    width,
    count: lists.get(cpu)?.length ?? 0,
  }));
  const levels = 1 + Math.max(-1, ...input.shape.domains.map((d) => d.level));
  const base = rect.y + rect.h - NUMBERS - levels * BRACKET;
  const area = {
    x: rect.x,
    y: rect.y + CAPTION,
    w: width,
    h: Math.max(8, base - rect.y - CAPTION),
  };
  const form = formOf(input, width, area.h);
  const waiting = columns.reduce((sum, c) => sum + c.count, 0);
  const { fromNs, spanNs } = axisOf(form, lists);
  const all: Columns = {
    kind: 'columns',
    rect,
    form,
    columns,
    rings: [],
    brackets: bracketsOf(input.shape.domains, columns, base + NUMBERS),
    waiting,
    base,
    fromNs,
    spanNs,
    averageUp: 0,
    height: area.h,
    lost: 0,
  };
  if (form === 'ring') return { ...all, rings: rings(all, lists, area, input, out) };
  const before = out.overflow.length;
  let averageUp = 0;
  if (form === 'tree') alongKeys(all, lists, area, input, out);
  else if (form === 'virtualTime') averageUp = aroundAverage(all, lists, area, input, out);
  else stacked(all, lists, area, input, out);
  const lost = out.overflow.slice(before).reduce((sum, o) => sum + o.count, 0);
  return { ...all, averageUp, lost };
}

/** Stacks threads with the next to be served at the bottom; a wide and full column has several side by side. */
function stacked(
  all: Columns,
  lists: Lists,
  area: Rect,
  input: QueueInput,
  out: PlacedParts,
): void {
  const { size, gap, rows, across } = gridOf(all.columns, area);
  for (const column of all.columns) {
    const list = lists.get(column.cpu) ?? [];
    list.slice(0, rows * across).forEach((row, n) => {
      const own = input.isBackground(row.task) ? size * BACKGROUND_SCALE : size;
      const y = all.base - size / 2 - Math.floor(n / across) * (size + gap);
      const x = column.x + ((n % across) - (across - 1) / 2) * (size + 1);
      out.placed.push({ task: row.task, kind: 'queue', cpu: column.cpu, x, y, size: own });
    });
    tellLost(column, list.length - rows * across, area, out);
  }
}

/** The beginning and the length of a form's axis. */
function axisOf(form: Form, lists: Lists): { readonly fromNs: number; readonly spanNs: number } {
  let [least, most] = [0, 0];
  for (const list of lists.values())
    for (const { key } of list) {
      if (!Number.isFinite(key)) continue;
      least = Math.min(least, key);
      most = Math.max(most, key);
    }
  const reach = (ns: number) => roundUp125(Math.max(MS, ns * 1.02), 100 * US);
  if (form === 'tree') return { fromNs: 0, spanNs: reach(most) };
  if (form !== 'virtualTime') return { fromNs: 0, spanNs: 0 };
  const fromNs = -reach(-least);
  return { fromNs, spanNs: reach(most) - fromNs };
}

/** A ring for each CPU; threads of other parts stand above it: real time at the left, idle class at the right. */
function rings(
  all: Columns,
  lists: Lists,
  area: Rect,
  input: QueueInput,
  out: PlacedParts,
): readonly Ring[] {
  const { shape } = input;
  const at = shape.perCpu.findIndex((p) => p.kind === 'ring');
  const slots = shape.perCpu[at]?.places ?? 64;
  return all.columns.map((column) => {
    const list = lists.get(column.cpu) ?? [];
    const { width } = column;
    const left = column.x - width / 2 + 2;
    const beside = (rows: readonly QueueRow[], side: 1 | -1) => {
      const size = BESIDE - 2;
      const room = Math.max(1, Math.floor((width - 4) / 2 / (size + 1)));
      const from = side > 0 ? left : left + width - 4;
      rows.slice(0, room).forEach((row, i) => {
        const x = from + side * (size / 2 + i * (size + 1));
        const y = area.y + size / 2;
        out.placed.push({ task: row.task, kind: 'queue', cpu: column.cpu, x, y, size });
      });
      if (rows.length > room)
        out.overflow.push({
          x: from + side * (room * (size + 1)) + (side > 0 ? 22 : 0),
          y: area.y + size / 2,
          count: rows.length - room,
        });
    };
    beside(
      list.filter((row) => row.part < at),
      1,
    );
    beside(
      list.filter((row) => row.part > at),
      -1,
    );
    const box = { x: left, y: area.y + BESIDE, w: width - 4, h: area.h - BESIDE };
    const of = {
      cpu: column.cpu,
      slots,
      ...handsOf(input, column.cpu),
    };
    const ring = ringIn(
      box,
      18,
      list.filter((row) => row.part === at),
      of,
      input,
      out,
    );
    if (ring.lost > 0) out.overflow.push({ x: ring.x + 12, y: ring.y, count: ring.lost });
    return ring;
  });
}
