/** The number of threads of each CPU, which the stage shows with many CPUs and far more threads. */
import { TaskState } from '../../sim/frame';
import type { QueueInput } from './queues/input';

/** With more CPUs, slots are too small for bands and show numbers. */
const MANY_CPUS = 16;
/** Threads per CPU from which on numbers are shown. */
const CROWDED = 1.5;

/**
 * Running and waiting threads of the workload by CPU; null with few CPUs, few threads or a global queue, where the
 * normal picture is clearer.
 */
export function jobsOn({
  frame,
  shape,
  isBackground,
}: Pick<QueueInput, 'frame' | 'shape'> & {
  isBackground(task: number): boolean;
}): Float64Array | null {
  if (frame.cpus <= MANY_CPUS || shape.global.length > 0) return null;
  const jobs = new Float64Array(frame.cpus);
  const state = frame.task('state');
  const cpu = frame.task('cpu');
  let all = 0;
  const add = (at: number): void => {
    jobs[at] = (jobs[at] ?? 0) + 1;
    all += 1;
  };
  for (let task = 0; task < frame.tasks; task++)
    if (state[task] === TaskState.running && !isBackground(task)) add(cpu[task] ?? 0);
  const waiters = frame.waiters();
  for (let row = 0; row < waiters.length; row++) {
    const queue = waiters.queue(row);
    if (queue >= 0 && !isBackground(waiters.task(row))) add(queue);
  }
  return all > CROWDED * frame.cpus ? jobs : null;
}
