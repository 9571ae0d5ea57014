/** What the first scenario of Start shows: a core that two jobs share while another has none, and how that came. */
import type { LaneState } from '../../state/lane.svelte';
import { type Ghost, ghostOf } from '../machine/ghost';
import { cpusByCore, freeFrom, type Sharing, sharingOf } from '../machine/sharing';

/** See the module comment. */
export interface Finding {
  readonly sharing: Sharing;
  /** Where the job that came last was before; null where that core is in use again. */
  readonly ghost: Ghost | null;
  /** A core without a job, and the time since when. */
  readonly empty: { readonly core: number; readonly fromNs: number };
}

/** Work that gets done at once in the newest picture, in threads alone; waiting threads do none. */
export function paceOf(lane: LaneState): number {
  const rate = lane.frame.task('rate');
  const jobs = [...lane.frame.cpu('curr')].filter((task) => task >= 0 && !lane.isBackground(task));
  return jobs.reduce((sum, task) => sum + (rate[task] ?? 0), 0);
}

/** The finding in the newest picture of a lane; null if no core is shared, or none is without a job. */
export function findingOf(lane: LaneState): Finding | null {
  const sharing = sharingOf(lane);
  const [shared] = sharing.shared;
  const [free] = sharing.free;
  if (!shared || free === undefined) return null;
  const coreOf = (cpu: number) => lane.tree.core[cpu] ?? -1;
  const came = shared.tasks
    .flatMap((task, i) => {
      const move = lane.history.moves.findLast(
        (m) => m.task === task && m.from >= 0 && coreOf(m.from) !== coreOf(m.to),
      );
      return move ? [{ move, task, cpu: shared.cpus[i] ?? move.to }] : [];
    })
    .sort((a, b) => b.move.atNs - a.move.atNs)[0];
  const left = came && sharing.free.includes(coreOf(came.move.from)) ? came.move.from : null;
  const { index } = lane;
  const core = left === null ? free : coreOf(left);
  const cpus = cpusByCore(lane.tree).get(core) ?? [];
  return {
    sharing,
    ghost: came
      ? ghostOf({ lane: index, task: came.task, cpu: came.cpu, left, tasks: [] }, lane)
      : null,
    empty: { core, fromNs: freeFrom(lane, cpus, came?.move.atNs ?? 0) },
  };
}
