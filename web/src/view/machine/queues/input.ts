/** The data from which the queues of a lane are drawn. */
import { count, waits } from '../../../lib/format';
import type { Frame, QueueRow } from '../../../sim/frame';
import type { LaneNames } from '../../../sim/protocol';
import type { QueueShape } from '../../../sim/types/QueueShape';
import { queueOf } from '../../schedulers/folder';

/** The queues of a lane. */
export interface QueueInput {
  /** Id of the scheduler. */
  readonly scheduler: string;
  readonly frame: Frame;
  readonly shape: QueueShape;
  /** The waiting threads to draw, if not all of the frame. */
  readonly waiting?: readonly QueueRow[];
  readonly names: Pick<LaneNames, 'cgroups' | 'taskGroup'>;
  isBackground(task: number): boolean;
  nameOf?(task: number): string;
}

/** The waiting threads, queue by queue in order. */
export function waitingIn({
  frame,
  waiting,
}: Pick<QueueInput, 'frame' | 'waiting'>): readonly QueueRow[] {
  return waiting ?? frame.queue();
}

/** The slots where a ring is filled and served. */
export interface Hands {
  readonly insert: number;
  readonly remove: number;
}

/** The hands of a CPU's ring. */
export function handsOf({ frame, scheduler }: QueueInput, cpu: number): Hands {
  const { insertHand, removeHand } = queueOf(scheduler);
  const at = (column: string | undefined) =>
    (column === undefined ? null : frame.cpuIfAny(column)?.[cpu]) ?? 0;
  return { insert: at(insertHand), remove: at(removeHand) };
}

/** Deadlines of the threads, by number; null where there are none. */
export function deadlinesOf({
  frame,
  scheduler,
}: Pick<QueueInput, 'frame' | 'scheduler'>): Float64Array | null {
  const { deadline } = queueOf(scheduler);
  return deadline === undefined ? null : frame.taskIfAny(deadline);
}

/** The name of a tree axis' zero. */
export function originOf(scheduler: string): string {
  return queueOf(scheduler).origin ?? 'the first';
}

/** The name of a group of the scheduler that has a queue of its own. Its first groups are the control groups. */
export function groupName({ cgroups }: Pick<LaneNames, 'cgroups'>, group: number): string {
  const name = cgroups[group - 1];
  return name === undefined ? `task group ${String(group)}` : `control group ${name}`;
}

/** Height of the line of words above a queue. */
export const CAPTION = 22;

/** Number of waiting threads, and the number of drawn ones if not all are. */
export function tellWaiting(waiting: number, lost: number): string {
  const drawn = lost > 0 ? `, ${count(waiting - lost)} drawn` : '';
  return waits(waiting) + drawn;
}
