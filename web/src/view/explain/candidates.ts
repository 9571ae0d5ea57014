/** The candidates of a decision as rows: CPUs that are alike in one, and who is on each. Pure functions. */
import { cpuListText } from '../../lib/cpu-list';
import type { CandidateView } from '../../sim/types/CandidateView';
import type { LaneState } from '../../state/lane.svelte';
import { nameOfCandidate } from './reasons';

/** Most threads that are drawn beside a CPU. */
const MOST = 3;

/** A row. */
export interface CandidateRow {
  /** Of its first candidate. */
  readonly index: number;
  readonly first: CandidateView;
  readonly name: string;
  /** The threads that are drawn. */
  readonly tasks: readonly number[];
}

/** The threads of the workload on a CPU and in its queue, where the picture is of the decision's moment. */
function on(lane: Pick<LaneState, 'calm' | 'isBackground'>, cpu: number): readonly number[] {
  const curr = lane.calm.cpu('curr')[cpu] ?? -1;
  const waiters = lane.calm.waiters();
  const queued = Array.from({ length: waiters.length }, (_, row) =>
    waiters.queue(row) === cpu ? waiters.task(row) : -1,
  );
  return [curr, ...queued].filter((task) => task >= 0 && !lane.isBackground(task));
}

/** The rows; with `isWhole`, each candidate has one. */
export function rowsOf(
  candidates: readonly CandidateView[],
  lane: Pick<LaneState, 'calm' | 'isBackground'>,
  atNs: number,
  isWhole: boolean,
): readonly CandidateRow[] {
  const isNow = lane.calm.nowNs === atNs;
  const rows: { index: number; first: CandidateView; cpus: number[]; tasks: readonly number[] }[] =
    [];
  candidates.forEach((c, index) => {
    const { cpu, task, chosen, note, score } = c;
    const there = cpu !== null && task === null && isNow ? on(lane, cpu) : [];
    const tasks = task === null ? there.slice(0, MOST) : [task];
    const isBare = cpu !== null && !chosen && tasks.length === 0;
    const like = rows.find(
      ({ first, cpus, tasks: those }) =>
        cpus.length > 0 &&
        those.length === 0 &&
        !first.chosen &&
        first.score === score &&
        first.note === note,
    );
    if (!isWhole && isBare && like) like.cpus.push(cpu);
    else rows.push({ index, first: c, cpus: cpu === null ? [] : [cpu], tasks });
  });
  return rows.map(({ index, first, cpus, tasks }) => ({
    index,
    first,
    tasks,
    name: cpus.length > 1 ? `cpu ${cpuListText(cpus)}` : nameOfCandidate(first),
  }));
}
