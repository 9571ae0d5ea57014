/** Choosing a slice of a timeline, by pointer or keys, and asking why it is there. */
import { clock } from '../../../../lib/format';
import { clamp } from '../../../../lib/units';
import type { LaneState } from '../../../../state/lane.svelte';
import type { TimeWindow } from '../../../../state/time-window.svelte';
import { ask, askSlice, askSliceAt } from '../../../explain/ask';
import { type Axis, xOf } from '../../axis';
import type { Rows } from '../../rows';
import { firstAfter, type Slices } from '../../slices';
import type { ChartPage } from '../../tab';
import type { Hit } from './hit';

/** The keyboard's position: a CPU at a time. */
export interface Spot {
  readonly cpu: number;
  readonly ns: number;
}

/** The target at a place, in words. */
export function tellHit(lane: LaneState, { cpu, ns, task, span }: Hit): string {
  const what = task === null ? span : `${lane.nameOf(task)} ${span}`;
  return `${clock(ns)} · cpu ${String(cpu)} · ${what}`;
}

/** Selects the thread that had the CPU there and asks why; the same thread again clears both. */
export function chooseSlice(page: ChartPage, lane: LaneState, there: Hit, isByKey: boolean): void {
  const { selection } = page;
  const { cpu, ns, task, slice } = there;
  // Slices of the future have no decisions yet.
  if (ns > lane.frame.nowNs) {
    if (task !== null) selection.toggleThread(lane.nameOf(task), lane.index);
    return;
  }
  const question = slice ? askSlice(lane, cpu, slice, ns) : askSliceAt(lane, cpu, ns);
  const { asked } = selection;
  if (!isByKey && asked?.key === question.key && asked.lane === lane.index) {
    selection.clear();
    return;
  }
  if (task !== null) selection.pick(lane.nameOf(task), lane.index);
  else if (selection.cpu !== cpu || selection.lane !== lane.index)
    selection.toggleCpu(cpu, lane.index);
  ask(page, question, isByKey);
}

/** Part of the window by which a key moves where single slices are not known. */
const PART = 40;

/** The next place for a key: a row up or down, a slice back or on; null if the key has no effect. */
export function walk(
  key: string,
  from: Spot | null,
  order: readonly number[],
  slices: Slices | null,
  view: Pick<TimeWindow, 'fromNs' | 'spanNs'>,
  nowNs: number,
): Spot | null {
  const [first = 0] = order;
  const here = from ?? { cpu: first, ns: Math.min(nowNs, view.fromNs + view.spanNs / 2) };
  const by = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0;
  if (by !== 0) {
    if (!from) return here;
    const at = clamp(order.indexOf(here.cpu) + by, 0, order.length - 1);
    return { cpu: order[at] ?? here.cpu, ns: here.ns };
  }
  if (key !== 'PageUp' && key !== 'PageDown') return null;
  const list = slices?.[here.cpu] ?? [];
  const at = firstAfter(list, here.ns);
  const next = list[key === 'PageUp' ? at - 1 : at + 1];
  const step = key === 'PageUp' ? -1 : 1;
  const ns = next ? next.from : slices ? here.ns : here.ns + (step * view.spanNs) / PART;
  return { cpu: here.cpu, ns: clamp(ns, 0, nowNs) };
}

/** Brings a time into sight. */
export function reveal(view: TimeWindow, ns: number): void {
  if (ns < view.fromNs) view.pan((ns - view.fromNs) / view.spanNs - 0.1);
  else if (ns > view.toNs) view.pan((ns - view.toNs) / view.spanNs + 0.1);
}

/** Marks where the keys are. */
export function paintSpot(
  ctx: CanvasRenderingContext2D,
  axis: Axis,
  rows: Rows,
  { cpu, ns }: Spot,
  colour: string,
): void {
  const [x, y] = [xOf(axis, ns), rows.top[cpu] ?? 0];
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2;
  ctx.strokeRect(x - 4, y - 2, 8, rows.height + 4);
}
