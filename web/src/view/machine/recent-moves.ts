/** Moves of the workload that pictures and words show. */
import type { FirstPlace, History, Move } from '../../sim/history';
import type { LaneState } from '../../state/lane.svelte';
import { coresOf, type Flows, keyOf } from './totals';

type Lane = Pick<LaneState, 'history' | 'isBackground' | 'tree'>;

const isMove = (lane: Lane, m: Move): boolean =>
  m.from >= 0 && m.from !== m.to && !lane.isBackground(m.task);

/** The newest move since a time; null if there is none. */
export function newestOfJobs(lane: Lane, sinceNs: number): Move | null {
  const { moves } = lane.history;
  for (let i = moves.length - 1; i >= 0; i--) {
    const m = moves[i];
    if (!m || m.atNs < sinceNs) return null;
    if (isMove(lane, m)) return m;
  }
  return null;
}

/** Whether a new thread still has its first turn: later its beginning is over. */
export function isFirstTurn({ slices }: Pick<History, 'slices'>, first: FirstPlace): boolean {
  return slices[first.cpu]?.at(-1)?.from === first.atNs;
}

/** The newest move of each pair of cores that has a line. */
export function newestBetween(
  lane: Lane,
  { lines }: Flows,
): (cores: readonly [number, number]) => Move | null {
  const found = new Map<string, Move | null>(lines.map(({ cores }) => [keyOf(cores), null]));
  let missing = found.size;
  const { moves } = lane.history;
  for (let i = moves.length - 1; i >= 0 && missing > 0; i--) {
    const m = moves[i];
    const key = m && isMove(lane, m) ? keyOf(coresOf(lane.tree.core, m.from, m.to)) : '';
    if (!m || found.get(key) !== null) continue;
    found.set(key, m);
    missing -= 1;
  }
  return (cores) => found.get(keyOf(cores)) ?? null;
}
