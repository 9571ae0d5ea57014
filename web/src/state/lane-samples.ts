/** Totals of a lane at a time of its past, asked of the core. */
import { type SampleLayout, Samples } from '../sim/samples';
import type { LaneState } from './lane.svelte';
import type { Run } from './run.svelte';

/** Most threads whose totals are requested. */
export const MOST_TASKS = 10_000;

/** A request for a span of time: about `most` rows with these threads. */
interface Wanted {
  readonly fromNs: number;
  readonly toNs: number;
  readonly tasks: readonly number[];
  readonly most: number;
}

/** Rows of a sample at a single time; few enough that the core runs to exactly this time. */
const ONE_TIME = 6;

/** Samples of a span of time. */
export async function samplesOf(run: Run, lane: LaneState, wanted: Wanted): Promise<Samples> {
  const data = await run.samples({ lane: lane.index, ...wanted });
  const layout: SampleLayout = {
    causes: run.catalog?.causes.length ?? 0,
    groups: lane.names.groups.length,
    cpus: lane.tree.core.length,
  };
  return new Samples(data, layout, wanted.tasks);
}

/** The totals at exactly this time. */
export function samplesAt(
  run: Run,
  lane: LaneState,
  atNs: number,
  tasks: readonly number[],
): Promise<Samples> {
  return samplesOf(run, lane, { fromNs: atNs, toNs: atNs, tasks, most: ONE_TIME });
}
