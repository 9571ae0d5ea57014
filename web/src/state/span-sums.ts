/** Sums over a marked span: CPU time, switches and moves of all threads, and each thread's share. */
import type { LaneNames } from '../sim/protocol';
import type { Samples } from '../sim/samples';
import { ranked, type ShareBars } from './answer/bars';
import type { Span } from './time-window.svelte';

/** Sums of a lane. */
export interface SpanSums {
  /** CPU time of all threads, including the background, divided by the CPU time available; 0 to 1. */
  readonly busy: number;
  /** Times that a job was switched in. */
  readonly switches: number;
  /** Moves of jobs: times that a job ran on another CPU than before. */
  readonly moves: number;
  /** Share of a CPU that each job had in the span, sorted. */
  readonly shares: ShareBars;
  /** The same by thread. */
  readonly all: ReadonlyMap<number, number>;
}

/** The sums between two samples of the same threads, taken at the ends of the span. */
export function sumsBetween(
  { fromNs, toNs }: Span,
  [before, after]: readonly [Samples, Samples],
  names: LaneNames,
  cpus: number,
): SpanSums {
  const span = Math.max(1, toNs - fromNs);
  let [switches, moves, all] = [0, 0, 0];
  const had = after.tasks.map((task) => {
    const [then, now] = [before.total(task), after.total(task)];
    switches += now.switches - then.switches;
    moves += now.migrations - then.migrations;
    return Math.min(1, (now.runNs - then.runNs) / span);
  });
  names.groups.forEach((_, g) => {
    all += after.groupTotal(g) - before.groupTotal(g);
  });
  const byTask = new Map(after.tasks.map((task, i) => [task, had[i] ?? 0]));
  const shares = ranked(after.tasks, had, null);
  return { busy: all / (span * cpus), switches, moves, shares, all: byTask };
}
