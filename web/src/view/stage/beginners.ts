/** The threads of a run that has not begun: who they are, and how large they can be drawn. */
import { TaskState } from '../../sim/frame';
import type { LaneState } from '../../state/lane.svelte';

/**
 * Before the first instant is over, everybody of the workload who does not run yet; later nobody. Who is drawn where it
 * will begin is not named again.
 */
export function beginnersOf(
  lane: Pick<LaneState, 'first' | 'jobs'>,
  frame: LaneState['frame'],
): readonly number[] {
  if (frame.nowNs > 0 || lane.first) return [];
  const state = frame.task('state');
  return lane.jobs.filter((task) => state[task] !== TaskState.running);
}

/** Space between tokens, as a part of their side. */
export const GAP = 0.14;
/** Smallest side with a readable number. */
const LEAST = 18;

/** How many tokens of a side stand in a row. */
export function columnsOf(width: number, side: number): number {
  return Math.max(1, Math.floor((width + side * GAP) / (side * (1 + GAP))));
}

/** How many tokens of which side fit into a space, the largest that has room for all. */
export function fitTokens(
  count: number,
  width: number,
  height: number,
  most: number,
  least = LEAST,
): { readonly side: number; readonly shown: number } {
  const room = (side: number) => columnsOf(width, side) * columnsOf(height, side);
  let side = Math.max(least, Math.min(most, Math.floor(height)));
  while (side > least && room(side) < count) side -= 1;
  return { side, shown: Math.min(count, room(side)) };
}

/** The threads in words: `job 1–9, video`. */
export function sayBeginners(
  { names }: Pick<LaneState, 'names'>,
  tasks: readonly number[],
): readonly string[] {
  const groups = [...new Set(tasks.map((task) => names.taskGroup[task] ?? 0))];
  return groups.map((group) => {
    const own = tasks.filter((task) => names.taskGroup[task] === group);
    const name = names.groups[group]?.name ?? '';
    const number = (task: number | undefined) => /-(\d+)$/.exec(names.tasks[task ?? 0] ?? '')?.[1];
    const [first, last] = [number(own[0]), number(own.at(-1))];
    if (own.length === 1 || first === undefined || last === undefined) return name;
    return `${name} ${first}–${last}`;
  });
}
