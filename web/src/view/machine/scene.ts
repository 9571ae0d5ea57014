/** Where each thread of a frame stands in the layout: a pure function, one true state at a time. */
import type { Rect } from '../../lib/geom';
import { roundUp125 } from '../../lib/scale';
import { MS } from '../../lib/units';
import { type Frame, TaskState } from '../../sim/frame';
import { type MachineLayout, slotParts } from './layout';

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

/** Everything that is drawn of a frame. */
export interface Scene {
  readonly placed: readonly Placed[];
  readonly axis: Axis | null;
  readonly overflow: readonly Overflow[];
  /** Background threads that sleep; they are only counted. */
  readonly dozing: number;
}

/** What the scene needs to know of the lane. */
export interface SceneInput {
  readonly frame: Frame;
  isBackground(task: number): boolean;
  /** Whether all CPUs share one queue. */
  readonly isGlobalQueue: boolean;
}

const BACKGROUND_SCALE = 0.62;

function axisOf(rect: Rect, frame: Frame): Axis {
  let ahead = 0;
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

/** Tokens along the axis, piled up where they would cover each other. */
function alongAxis(axis: Axis, input: SceneInput, placed: Placed[], overflow: Overflow[]): void {
  const { frame } = input;
  const full = Math.min(34, Math.max(16, axis.rect.h * 0.3));
  const rows = Math.max(1, Math.floor((axis.y - axis.rect.y - 20) / (full + 2)));
  const ends: number[] = Array<number>(rows).fill(Number.NEGATIVE_INFINITY);
  let lost = 0;
  const waiting = frame.queue().filter((row) => row.queue < 0);
  for (const row of [...waiting].sort((a, b) => a.key - b.key)) {
    const size = input.isBackground(row.task) ? full * BACKGROUND_SCALE : full;
    const ideal = axis.nowX + (row.key - frame.nowNs) * axis.pxPerNs;
    const x = Math.max(axis.rect.x + size / 2 + 2, ideal);
    const level = ends.findIndex((end) => x - size / 2 >= end);
    if (level < 0) {
      lost += 1;
      continue;
    }
    ends[level] = x + size / 2 + 2;
    placed.push({
      task: row.task,
      kind: 'axis',
      cpu: -1,
      x,
      y: axis.y - 5 - full / 2 - level * (full + 2),
      size,
    });
  }
  if (lost > 0)
    overflow.push({ x: axis.rect.x + axis.rect.w - 8, y: axis.rect.y + 10, count: lost });
}

/** Tokens waiting beside each CPU. */
function besideCpus(
  layout: MachineLayout,
  input: SceneInput,
  placed: Placed[],
  overflow: Overflow[],
): void {
  const used = new Map<number, number>();
  for (const row of input.frame.queue()) {
    const slot = layout.slots[row.queue];
    if (!slot) continue;
    const { token, text } = slotParts(slot.rect, layout.density);
    const size = text ? Math.min(20, Math.max(10, text.h * 0.3)) : Math.max(4, token.w * 0.3);
    const from = text ? text.x : slot.rect.x + 2;
    const room = Math.max(
      1,
      Math.floor(((text ? text.w : slot.rect.w - 4) - (text ? 22 : 0)) / (size + 3)),
    );
    const n = used.get(row.queue) ?? 0;
    used.set(row.queue, n + 1);
    const y = text ? text.y + text.h - size / 2 : slot.rect.y + slot.rect.h - size / 2 - 1;
    if (n < room) {
      placed.push({
        task: row.task,
        kind: 'queue',
        cpu: row.queue,
        x: from + n * (size + 3) + size / 2,
        y,
        size,
      });
    }
  }
  for (const [cpu, n] of used) {
    const slot = layout.slots[cpu];
    if (!slot) continue;
    const shown = placed.reduce((k, p) => k + (p.kind === 'queue' && p.cpu === cpu ? 1 : 0), 0);
    const { text } = slotParts(slot.rect, layout.density);
    if (n > shown && text)
      overflow.push({ x: text.x + text.w, y: text.y + text.h - 8, count: n - shown });
  }
}

/** Sleeping and finished threads, in a row at the bottom. */
function inTray(
  layout: MachineLayout,
  tasks: { sleep: number[]; done: number[] },
  placed: Placed[],
  overflow: Overflow[],
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
      const { token } = slotParts(slot.rect, layout.density);
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
  const axis = layout.axis && input.isGlobalQueue ? axisOf(layout.axis, frame) : null;
  if (axis) alongAxis(axis, input, placed, overflow);
  else besideCpus(layout, input, placed, overflow);
  inTray(layout, tray, placed, overflow);
  return { placed, axis, overflow, dozing };
}
