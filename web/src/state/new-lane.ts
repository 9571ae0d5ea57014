/** Releases of schedulers: which one a new lane runs, and in which order lists have them. */
import type { EraEntry } from '../sim/types/EraEntry';
import type { SchedulerEntry } from '../sim/types/SchedulerEntry';

type Line = Pick<SchedulerEntry, 'id' | 'family'> & { readonly eras: readonly EraEntry[] };

/** The releases in the order of time; textbook policies and placements by hand as they are. */
export function byTime({ family, eras }: Line): readonly EraEntry[] {
  return family === 'baseline' ? eras : [...eras].sort((a, b) => a.year - b.year);
}

/** Schedulers of the Linux that machines of today run. */
const OF_TODAY: readonly string[] = ['cfs', 'eevdf'];

/**
 * What a lane is set to when somebody chooses its scheduler. Of Linux's own that is the newest release, as the machine
 * in front of the reader is nearest to it; of others the one that scenarios without a release mean.
 */
export function newLane(
  all: readonly Line[],
  id: string,
): { readonly id: string; readonly era?: string } {
  const entry = OF_TODAY.includes(id) && all.find((one) => one.id === id);
  const newest = entry ? byTime(entry).at(-1) : undefined;
  return newest ? { id, era: newest.id } : { id };
}
