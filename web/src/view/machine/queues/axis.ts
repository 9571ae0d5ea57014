/** One list on an axis of deadlines: now at the left, each waiting thread at its deadline. */
import type { Rect } from '../../../lib/geom';
import { roundUp125 } from '../../../lib/scale';
import { MS } from '../../../lib/units';
import { TaskState } from '../../../sim/frame';
import { BACKGROUND_SCALE, type Out } from '../placed';
import { CAPTION, type QueueInput } from './input';

/** The deadline axis at a moment. */
export interface Axis {
  readonly kind: 'axis';
  readonly rect: Rect;
  /** Pixel of the present. */
  readonly nowX: number;
  /** Baseline. */
  readonly y: number;
  /** Simulated ns from the present to the right end. */
  readonly spanNs: number;
  readonly pxPerNs: number;
  readonly waiting: number;
}

function axisOf(rect: Rect, input: QueueInput): Axis {
  const { frame } = input;
  let ahead = 0;
  let waiting = 0;
  // The running threads are on the axis too, as outlines, so it must reach to their deadlines.
  const deadlines = frame.taskIfAny('deadlineNs');
  const state = frame.task('state');
  deadlines?.forEach((deadline, t) => {
    if (state[t] !== TaskState.running || input.isBackground(t) || !Number.isFinite(deadline))
      return;
    ahead = Math.max(ahead, deadline - frame.nowNs);
  });
  for (const row of frame.queue())
    if (row.queue < 0) {
      ahead = Math.max(ahead, row.key - frame.nowNs);
      waiting += 1;
    }
  const spanNs = roundUp125(Math.max(100 * MS, ahead * 1.05), 10 * MS);
  const nowX = rect.x + Math.max(34, rect.w * 0.12);
  return {
    kind: 'axis',
    rect,
    nowX,
    y: rect.y + rect.h - 20,
    spanNs,
    pxPerNs: (rect.x + rect.w - 16 - nowX) / spanNs,
    waiting,
  };
}

/** Largest size of a waiting token at which all of them find room. */
function sizeFor(count: number, area: Rect, most: number): number {
  for (let size = most; size > 6; size -= 2) {
    const rows = Math.floor(area.h / (size + 2));
    if (rows * Math.floor(area.w / (size + 2)) >= count * 1.3) return size;
  }
  return 6;
}

/** Tokens along the axis, piled up where they would cover each other, pushed on where the pile is full. */
export function axisIn(rect: Rect, input: QueueInput, out: Out): Axis {
  const axis = axisOf(rect, input);
  const { frame } = input;
  const top = rect.y + CAPTION;
  const right = rect.x + rect.w - 4;
  const area = { x: axis.nowX, y: top, w: right - axis.nowX, h: axis.y - 5 - top };
  const full = sizeFor(axis.waiting, area, Math.min(32, Math.max(16, area.h * 0.6)));
  const rows = Math.max(1, Math.floor(area.h / (full + 2)));
  const ends: number[] = Array<number>(rows).fill(rect.x);
  let lost = 0;
  const waiting = frame.queue().filter((row) => row.queue < 0);
  for (const row of waiting.sort((a, b) => a.key - b.key)) {
    const size = input.isBackground(row.task) ? full * BACKGROUND_SCALE : full;
    const trueX = Math.max(rect.x + 2, axis.nowX + (row.key - frame.nowNs) * axis.pxPerNs);
    const free = ends.findIndex((end) => trueX - size / 2 >= end);
    const level = free >= 0 ? free : ends.indexOf(Math.min(...ends));
    const x = Math.max(trueX, (ends[level] ?? 0) + size / 2);
    if (x + size / 2 > right + 6) {
      lost += 1;
      continue;
    }
    ends[level] = x + size / 2 + 2;
    const y = axis.y - 5 - full / 2 - level * (full + 2);
    const stem = { x: trueX, y: axis.y };
    out.placed.push({ task: row.task, kind: 'axis', cpu: -1, x, y, size, stem });
  }
  if (lost > 0) out.overflow.push({ x: right, y: rect.y + 9, count: lost });
  return axis;
}
