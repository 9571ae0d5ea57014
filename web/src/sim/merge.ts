/** Merges updates: those of several workers, and successive ones of the same worker. */
import type { LaneUpdate, LanesUpdate } from './protocol';
import { joined } from './trail';

/** A later update of a lane, merged with the one before that the page did not get. */
function laterLane(before: LaneUpdate, now: LaneUpdate): LaneUpdate {
  return {
    ...now,
    trace: now.traceContinues ? joined([before.trace, now.trace]) : now.trace,
    traceContinues: now.traceContinues && before.traceContinues,
    names: now.names ?? before.names,
    residents: now.residents ?? before.residents,
    shape: now.shape ?? before.shape,
    columns: now.columns ?? before.columns ?? null,
    detail: now.detail ?? before.detail,
    present: now.present ?? before.present,
  };
}

/** A later update, merged with the one before that the page did not get. */
export function later(before: LanesUpdate | null, now: LanesUpdate): LanesUpdate {
  if (before?.lanes.length !== now.lanes.length) return now;
  return {
    ...now,
    lanes: now.lanes.map((lane, i) => {
      const first = before.lanes[i];
      return first ? laterLane(first, lane) : lane;
    }),
    edits: now.edits ?? before.edits,
  };
}

/** The common time: finished lanes stay at their end while others go on. */
export function commonNow(parts: readonly Pick<LanesUpdate, 'nowNs' | 'finished'>[]): number {
  const going = parts.filter(({ finished }) => !finished).map(({ nowNs }) => nowNs);
  return going.length > 0 ? Math.min(...going) : Math.max(0, ...parts.map(({ nowNs }) => nowNs));
}

/** One moment of all lanes. */
export function together(parts: readonly LanesUpdate[], differNs: number | null): LanesUpdate {
  const over = parts.flatMap(({ overNs }) => overNs ?? []);
  return {
    nowNs: commonNow(parts),
    endNs: Math.max(...parts.map(({ endNs }) => endNs)),
    finished: parts.every(({ finished }) => finished),
    lanes: parts.flatMap(({ lanes }) => lanes),
    differNs,
    // A finished lane takes no more edits.
    edits: (parts.find(({ finished }) => !finished) ?? parts[0])?.edits ?? null,
    overNs: over.length > 0 ? Math.min(...over) : null,
    workMs: Math.max(...parts.map(({ workMs }) => workMs)),
  };
}
