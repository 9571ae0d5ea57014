/**
 * Where the threads of a workload begin: read a moment after the start, and drawn before it. They are only told where
 * they give nothing away: every CPU gets one thread, and few have to wait.
 */
import { TaskState } from '../sim/frame';
import type { LaneState } from './lane.svelte';

/** Most threads that wait. */
const MOST_WAITING = 4;

/** See the module comment. */
export interface FirstPlaces {
  /** The first thread of each CPU. */
  readonly onCpu: ReadonlyMap<number, number>;
  /** Those that find every CPU taken, with the CPU in whose queue they wait; −1 for the one queue of all. */
  readonly waits: ReadonlyMap<number, number>;
}

type View = Pick<LaneState, 'frame' | 'history' | 'isBackground' | 'jobs'>;

/** The first places, a moment after the start; null where they would tell more than numbers. */
export function firstPlacesOf(lane: View): FirstPlaces | null {
  const { frame, history, jobs } = lane;
  const onCpu = new Map<number, number>();
  history.slices.forEach((list, cpu) => {
    const first = list.find(({ task }) => task >= 0 && !lane.isBackground(task));
    if (first) onCpu.set(cpu, first.task);
  });
  const begun = new Set(onCpu.values());
  if (onCpu.size < frame.cpus || begun.size < frame.cpus) return null;
  const rest = jobs.filter((task) => !begun.has(task));
  const state = frame.task('state');
  const wants = (task: number) =>
    state[task] === TaskState.queued || state[task] === TaskState.running;
  if (rest.length > MOST_WAITING || !rest.every(wants)) return null;
  const queues = new Map<number, number>();
  const waiters = frame.waiters();
  for (let row = 0; row < waiters.length; row++) queues.set(waiters.task(row), waiters.queue(row));
  // Who runs by now, in turn with the first thread there, has waited for that CPU.
  const at = frame.task('cpu');
  const waits = new Map(rest.map((task) => [task, queues.get(task) ?? at[task] ?? -1] as const));
  return { onCpu, waits };
}
