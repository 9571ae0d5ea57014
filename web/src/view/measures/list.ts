/** All measures: those of the core, and what the page itself makes of them. */
import type { LaneState } from '../../state/lane.svelte';
import { TaskState } from '../../sim/frame';
import type { Catalog } from '../../sim/types/Catalog';
import type { MetricEntry } from '../../sim/types/MetricEntry';

/** The part of a lane that measures are read from. */
export type Measured = Pick<LaneState, 'calm' | 'metrics' | 'isBackground'>;

/** A measure and how to read it. */
export interface Measure {
  readonly entry: MetricEntry;
  /** NaN where there is nothing to say. */
  value(lane: Measured): number;
}

/** As the published comparison of 4BSD and ULE plots it over the number of processes. */
const EFFICIENCY: Measure = {
  entry: {
    id: 'efficiency',
    name: 'elapsed to CPU time',
    unit: 'ratio',
    better: 'lower',
    summary:
      'Scheduler efficiency: elapsed time, times the threads or the CPUs, whichever are fewer, divided by the CPU time of all threads. 1 where no CPU idles while there is work; more is worse. It says something where threads do not sleep.',
  },
  value(lane) {
    const { calm } = lane;
    const state = calm.task('state');
    const runNs = calm.task('runNs');
    let threads = 0;
    let used = 0;
    for (let t = 0; t < calm.tasks; t++) {
      if (lane.isBackground(t) || state[t] === TaskState.notStarted) continue;
      threads += 1;
      used += runNs[t] ?? 0;
    }
    return used > 0 ? (calm.nowNs * Math.min(threads, calm.cpus)) / used : Number.NaN;
  },
};

/** In the order in which they are shown. */
export function measuresOf(catalog: Catalog | null): readonly Measure[] {
  const core = (catalog?.metrics ?? []).map((entry, i) => ({
    entry,
    value: (lane: Measured) => lane.metrics[i] ?? Number.NaN,
  }));
  return core.length === 0 ? [] : [...core, EFFICIENCY];
}
