/** The queues of a lane in one picture: the global queue, the queues of the CPUs, or both side by side. */
import type { Rect } from '../../../lib/geom';
import type { PlacedParts } from '../placed';
import { type Axis, axisIn } from './axis';
import { type Columns, columnsIn } from './columns';
import { type QueueInput, waitingIn } from './input';
import { type Ladder, ladderIn } from './ladder';

/** A queue with its form. */
export type Strip = Axis | Ladder | Columns;

/** Part of the width for the global queue if there are also queues of CPUs. */
const GLOBAL_PART = 0.64;

/** Whether some thread may not run everywhere: only then a scheduler with a global queue uses queues of CPUs, too. */
function hasLimited(input: QueueInput): boolean {
  const { frame } = input;
  const allowed = frame.task('allowedCount');
  for (let t = 0; t < frame.tasks; t++)
    if (!input.isBackground(t) && (allowed[t] ?? frame.cpus) < frame.cpus) return true;
  return waitingIn(input).some((row) => row.queue >= 0);
}

/** Places all waiting threads. */
export function stripsIn(
  rect: Rect,
  order: readonly number[],
  input: QueueInput,
  out: PlacedParts,
): readonly Strip[] {
  const [global] = input.shape.global;
  if (!global) return [columnsIn(rect, order, input, out)];
  const isShared = input.shape.perCpu.length > 0 && hasLimited(input);
  const main = isShared ? { ...rect, w: rect.w * GLOBAL_PART } : rect;
  const strips: Strip[] = [];
  if (global.kind === 'deadlines') strips.push(axisIn(main, input, out));
  else {
    const rows = waitingIn(input).filter((row) => row.queue < 0);
    strips.push(ladderIn(main, global, rows, -1, input, out));
  }
  if (isShared) {
    const rest = { ...rect, x: rect.x + main.w + 8, w: rect.w - main.w - 8 };
    strips.push(columnsIn(rest, order, input, out));
  }
  return strips;
}
