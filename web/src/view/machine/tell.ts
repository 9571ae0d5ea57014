/** A thread or a CPU in a few short lines: for the pointer, the keyboard and listeners. */
import { duration, nice, percent } from '../../lib/format';
import { CpuState, TaskState } from '../../sim/frame';
import type { LaneState } from '../../state/lane.svelte';

type View = Pick<LaneState, 'frame' | 'nameOf' | 'isBackground'>;

const STATES: Readonly<Record<number, string>> = {
  [TaskState.notStarted]: 'not started',
  [TaskState.running]: 'runs',
  [TaskState.queued]: 'waits',
  [TaskState.sleeping]: 'sleeps',
  [TaskState.finished]: 'has finished',
};

/** State of a thread in a word or two. */
export function stateOf(lane: View, task: number): string {
  const state = lane.frame.task('state')[task] ?? 0;
  const cpu = lane.frame.task('cpu')[task] ?? -1;
  const word = STATES[state] ?? 'unknown';
  return state === TaskState.running ? `${word} on cpu ${String(cpu)}` : word;
}

/** A thread in a few lines. */
export function tellTask(lane: View, task: number): readonly string[] {
  const { frame } = lane;
  const lines = [`${lane.nameOf(task)} ${stateOf(lane, task)}`];
  if (lane.isBackground(task)) lines.push('background');
  const rate = frame.task('rate')[task] ?? 0;
  if (frame.task('state')[task] === TaskState.running && rate > 0)
    lines.push(`${percent(rate)} of its speed alone`);
  const left = frame.task('sliceLeftNs')[task] ?? Number.NaN;
  if (left > 0) lines.push(`slice left ${duration(left)}`);
  const deadline = frame.taskIfAny('deadlineNs')?.[task];
  if (deadline !== undefined && Number.isFinite(deadline)) {
    const ahead = deadline - frame.nowNs;
    lines.push(
      ahead >= 0 ? `deadline in ${duration(ahead)}` : `deadline passed ${duration(-ahead)} ago`,
    );
  }
  lines.push(`nice ${nice(frame.task('nice')[task] ?? 0)}`);
  return lines;
}

/** A CPU in a few lines. */
export function tellCpu(lane: View, cpu: number): readonly string[] {
  const { frame } = lane;
  const task = frame.cpu('curr')[cpu] ?? -1;
  const state = frame.cpu('state')[cpu] ?? 0;
  const doing =
    task >= 0
      ? `runs ${lane.nameOf(task)}`
      : state === CpuState.signalled
        ? 'was signalled and wakes up'
        : 'is idle';
  const busy = frame.cpu('busyNs')[cpu] ?? 0;
  const lines = [`cpu ${String(cpu)} ${doing}`];
  if (frame.nowNs > 0) lines.push(`busy ${percent(busy / frame.nowNs)} of the time so far`);
  const queued = frame.cpu('queued')[cpu] ?? 0;
  if (queued > 0) lines.push(`${String(queued)} wait here`);
  return lines;
}
