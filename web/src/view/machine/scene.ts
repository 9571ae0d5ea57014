/** Where each thread of a frame stands in the layout: a pure function, one true state at a time. */
import type { Rect } from '../../lib/geom';
import { roundUp125 } from '../../lib/scale';
import { MS } from '../../lib/units';
import { type Frame, TaskState } from '../../sim/frame';
import type { MachineTree } from '../../sim/types/MachineTree';
import { cpuOrder } from './areas';
import type { MachineLayout } from './layout';
import { slotParts } from './slot';

/** Kind of place. */
export type PlaceKind = 'slot' | 'axis' | 'queue' | 'sleep' | 'done';

/** A thread at its place. */
export interface Placed {
  readonly task: number;
  readonly kind: PlaceKind;
  /** CPU of the slot or of the queue; −1 for places that belong to none. */
  readonly cpu: number;
  /** Middle. */
  readonly x: number;
  readonly y: number;
  /** Length of a side. */
  readonly size: number;
  /** On the axis: where the deadline really is, when the pile pushed the token on. */
  readonly trueX?: number;
}

/** The deadline axis at a moment. */
export interface Axis {
  readonly rect: Rect;
  /** Pixel of the present. */
  readonly nowX: number;
  /** Baseline. */
  readonly y: number;
  /** Simulated ns from the present to the right end. */
  readonly spanNs: number;
  readonly pxPerNs: number;
}

/** A number of threads that found no room, and where to say so. */
export interface Overflow {
  readonly x: number;
  readonly y: number;
  readonly count: number;
}

/** The queue of one CPU. */
export interface Column {
  readonly cpu: number;
  /** Middle. */
  readonly x: number;
  readonly width: number;
}

/** Everything that is drawn of a frame. */
export interface Scene {
  readonly placed: readonly Placed[];
  readonly axis: Axis | null;
  /** Queues of the CPUs; none when there is one for all. */
  readonly columns: readonly Column[];
  readonly overflow: readonly Overflow[];
  /** Background threads that sleep; they are only counted. */
  readonly dozing: number;
}

/** What the scene needs to know of the lane. */
export interface SceneInput {
  readonly frame: Frame;
  isBackground(task: number): boolean;
  readonly tree: MachineTree;
  /** Whether all CPUs share one queue. */
  readonly isGlobalQueue: boolean;
}

const BACKGROUND_SCALE = 0.62;
/** Height of the line of words above a queue. */
const CAPTION = 22;
/** Height of the CPU numbers under the columns. */
export const COLUMN_FOOT = 16;

interface Out {
  readonly placed: Placed[];
  readonly overflow: Overflow[];
}

function axisOf(rect: Rect, input: SceneInput): Axis {
  const { frame } = input;
  let ahead = 0;
  // The running threads are on the axis too, as outlines, so it must reach to their deadlines.
  const deadlines = frame.taskIfAny('deadlineNs');
  const state = frame.task('state');
  deadlines?.forEach((deadline, t) => {
    if (state[t] !== TaskState.running || input.isBackground(t) || !Number.isFinite(deadline))
      return;
    ahead = Math.max(ahead, deadline - frame.nowNs);
  });
  for (const row of frame.queue())
    if (row.queue < 0) ahead = Math.max(ahead, row.key - frame.nowNs);
  const spanNs = roundUp125(Math.max(100 * MS, ahead * 1.05), 10 * MS);
  const nowX = rect.x + Math.max(34, rect.w * 0.12);
  return {
    rect,
    nowX,
    y: rect.y + rect.h - 20,
    spanNs,
    pxPerNs: (rect.x + rect.w - 16 - nowX) / spanNs,
  };
}

/** Largest size of a waiting token at which all of them find room. */
function sizeFor(count: number, area: Rect, most: number): number {
  for (let size = most; size > 10; size -= 2) {
    const rows = Math.floor(area.h / (size + 2));
    if (rows * Math.floor(area.w / (size + 2)) >= count * 1.3) return size;
  }
  return 10;
}

/** Tokens along the axis, piled up where they would cover each other, pushed on where the pile is full. */
function alongAxis(axis: Axis, input: SceneInput, out: Out): void {
  const { frame } = input;
  const waiting = frame.queue().filter((row) => row.queue < 0);
  const top = axis.rect.y + CAPTION;
  const right = axis.rect.x + axis.rect.w - 4;
  const area = { x: axis.nowX, y: top, w: right - axis.nowX, h: axis.y - 5 - top };
  const full = sizeFor(waiting.length, area, Math.min(32, Math.max(16, area.h * 0.6)));
  const rows = Math.max(1, Math.floor(area.h / (full + 2)));
  const ends: number[] = Array<number>(rows).fill(axis.rect.x);
  let lost = 0;
  for (const row of [...waiting].sort((a, b) => a.key - b.key)) {
    const size = input.isBackground(row.task) ? full * BACKGROUND_SCALE : full;
    const trueX = Math.max(axis.rect.x + 2, axis.nowX + (row.key - frame.nowNs) * axis.pxPerNs);
    const free = ends.findIndex((end) => trueX - size / 2 >= end);
    const level = free >= 0 ? free : ends.indexOf(Math.min(...ends));
    const x = Math.max(trueX, (ends[level] ?? 0) + size / 2);
    if (x + size / 2 > right + 6) {
      lost += 1;
      continue;
    }
    ends[level] = x + size / 2 + 2;
    const y = axis.y - 5 - full / 2 - level * (full + 2);
    out.placed.push({ task: row.task, kind: 'axis', cpu: -1, x, y, size, trueX });
  }
  if (lost > 0) out.overflow.push({ x: right, y: axis.rect.y + 9, count: lost });
}

/** A column per CPU, siblings side by side, with those who wait for it. */
function inColumns(
  columns: readonly Column[],
  layout: MachineLayout,
  input: SceneInput,
  out: Out,
): void {
  const at = new Map(columns.map((c) => [c.cpu, c]));
  const height = layout.queue.h - CAPTION - COLUMN_FOOT;
  const width = columns[0]?.width ?? 10;
  const longest = Math.max(1, ...columns.map((c) => input.frame.cpu('queued')[c.cpu] ?? 0));
  const size = Math.max(5, Math.min(28, width - 3, Math.max(14, height / longest - 2)));
  const rows = Math.max(1, Math.floor(height / (size + 2)));
  const counts = new Map<number, number>();
  for (const row of input.frame.queue()) {
    const column = at.get(row.queue);
    if (!column) continue;
    const n = counts.get(row.queue) ?? 0;
    counts.set(row.queue, n + 1);
    if (n >= rows) continue;
    const own = input.isBackground(row.task) ? size * BACKGROUND_SCALE : size;
    const y = layout.queue.y + layout.queue.h - COLUMN_FOOT - size / 2 - n * (size + 2);
    out.placed.push({ task: row.task, kind: 'queue', cpu: row.queue, x: column.x, y, size: own });
  }
  for (const [cpu, n] of counts) {
    const column = at.get(cpu);
    if (column && n > rows)
      out.overflow.push({
        x: column.x + column.width / 2,
        y: layout.queue.y + 22,
        count: n - rows,
      });
  }
}

/** Where the queue of each CPU stands. */
function columnsOf(layout: MachineLayout, order: readonly number[]): readonly Column[] {
  const width = layout.queue.w / Math.max(1, order.length);
  return order.map((cpu, i) => ({ cpu, x: layout.queue.x + (i + 0.5) * width, width }));
}

/** Sleeping and finished threads, in a row at the bottom. */
function inTray(
  layout: MachineLayout,
  tasks: { sleep: number[]; done: number[] },
  { placed, overflow }: Out,
): void {
  const { tray } = layout;
  const size = Math.min(20, tray.h - 8);
  const half = tray.w / 2;
  const put = (kind: PlaceKind, list: number[], from: number) => {
    const room = Math.max(0, Math.floor((half - 92) / (size + 3)));
    list.slice(0, room).forEach((task, i) => {
      placed.push({
        task,
        kind,
        cpu: -1,
        x: from + 62 + i * (size + 3) + size / 2,
        y: tray.y + tray.h / 2,
        size,
      });
    });
    if (list.length > room)
      overflow.push({ x: from + half - 4, y: tray.y + tray.h / 2, count: list.length - room });
  };
  put('sleep', tasks.sleep, tray.x);
  put('done', tasks.done, tray.x + half);
}

/** Places everything. */
export function sceneOf(layout: MachineLayout, input: SceneInput): Scene {
  const { frame } = input;
  const placed: Placed[] = [];
  const overflow: Overflow[] = [];
  const state = frame.task('state');
  const cpu = frame.task('cpu');
  const tray = { sleep: [] as number[], done: [] as number[] };
  let dozing = 0;
  for (let task = 0; task < frame.tasks; task++) {
    const s = state[task];
    const isBackground = input.isBackground(task);
    if (s === TaskState.running) {
      const slot = layout.slots[cpu[task] ?? -1];
      if (!slot) continue;
      const { token } = slotParts(slot.rect, slot.density);
      const size = isBackground ? token.w * BACKGROUND_SCALE : token.w;
      placed.push({
        task,
        kind: 'slot',
        cpu: slot.cpu,
        x: token.x + token.w / 2,
        y: token.y + token.h / 2,
        size,
      });
    } else if (s === TaskState.sleeping) {
      if (isBackground) dozing += 1;
      else tray.sleep.push(task);
    } else if (s === TaskState.finished && !isBackground) {
      tray.done.push(task);
    }
  }
  const out = { placed, overflow };
  const axis = input.isGlobalQueue ? axisOf(layout.queue, input) : null;
  const columns = axis ? [] : columnsOf(layout, cpuOrder(input.tree));
  if (axis) alongAxis(axis, input, out);
  else inColumns(columns, layout, input, out);
  inTray(layout, tray, out);
  return { placed, axis, columns, overflow, dozing };
}
