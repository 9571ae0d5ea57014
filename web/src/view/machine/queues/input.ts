/** What the queues of a lane are drawn from. */
import type { Frame } from '../../../sim/frame';
import type { QueueShape } from '../../../sim/types/QueueShape';

/** The queues of a lane. */
export interface QueueInput {
  readonly frame: Frame;
  readonly shape: QueueShape;
  isBackground(task: number): boolean;
}

/** Height of the line of words above a queue. */
export const CAPTION = 22;
