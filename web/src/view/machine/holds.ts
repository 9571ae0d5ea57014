/**
 * The words of a moment, as far as they are true of the newest picture. The line under the machine, the chip and the
 * end of an announcement all follow them.
 */
import { TaskState } from '../../sim/frame';
import type { Sight } from '../../state/shown-moment.svelte';
import type { LaneState } from '../../state/lane.svelte';
import type { Words } from './say-line';
import { sayShared, sharingOf } from './sharing';

type View = Pick<LaneState, 'frame' | 'tree' | 'names' | 'isBackground' | 'nameOf'>;

/** The parts of a moment that its words are about. */
export type Said = Pick<Sight, 'atNs' | 'kind' | 'tasks' | 'to' | 'queue' | 'words'>;

/** The words of a moment; null before it, and once they are no longer true. */
export function wordsNow(lane: View, said: Said): Words | null {
  if (said.atNs > lane.frame.nowNs) return null;
  if (said.kind !== 'sharedCore') return isSo(lane, said) ? said.words : null;
  const now = sharingOf(lane);
  const shared = now.shared.find((s) => isSame(s.tasks, said.tasks));
  return shared && now.free.length > 0 ? sayShared(lane, shared, now) : null;
}

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((task) => b.includes(task));

function isSo({ frame }: View, { kind, tasks: [task = -1], to, queue }: Said): boolean {
  const state = frame.task('state')[task] ?? -1;
  switch (kind) {
    case 'exit':
      return state === TaskState.finished;
    case 'wakeup':
      return isAwake(state) && (to < 0 || frame.task('cpu')[task] === to);
    case 'steal':
    case 'balance':
    case 'migration':
      return isOn(frame, task, to);
    case 'wait':
      return isQueued(frame, task, queue);
    case 'refusal':
      return isQueued(frame, task, queue) && (frame.cpu('curr')[to] ?? -1) < 0;
    case 'sharedCore':
      return true;
  }
}

const isAwake = (state: number): boolean =>
  state === TaskState.running || state === TaskState.queued;

/** Whether a thread still is on the CPU to which it moved. */
export function isOn(frame: View['frame'], task: number, cpu: number): boolean {
  return isAwake(frame.task('state')[task] ?? -1) && frame.task('cpu')[task] === cpu;
}

function isQueued(frame: View['frame'], task: number, queue: number | undefined): boolean {
  const waiters = frame.waiters();
  for (let row = 0; row < waiters.length; row++)
    if (waiters.task(row) === task) return queue === undefined || waiters.queue(row) === queue;
  return false;
}
