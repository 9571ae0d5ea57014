/** The place that a thread had to leave before it came to where it is: an answer marks it while it is open. */
import { labelsOf } from '../../lib/thread-labels';
import type { Move } from '../../sim/history';
import type { LaneState } from '../../state/lane.svelte';
import type { Selection } from '../../state/selection.svelte';
import type { Slot } from './layout';
import { type Picture, rimOf, roundRect, setFont } from './picture';
import { slotParts } from './slot';

/** A thread, the CPU that it left, and its move. */
export interface Ghost {
  readonly task: number;
  readonly cpu: number;
  readonly move: Move | null;
}

type View = Pick<LaneState, 'frame' | 'history' | 'index' | 'isBackground'>;

/** The ghost of an open answer; null once another job stands there, or the thread has gone on. */
export function ghostOf(explained: Selection['explained'], lane: View): Ghost | null {
  if (
    !explained ||
    explained.lane !== lane.index ||
    explained.task === null ||
    explained.left === null
  )
    return null;
  const { task, left: cpu } = explained;
  const curr = lane.frame.cpu('curr')[cpu] ?? -1;
  const isTaken = curr >= 0 && !lane.isBackground(curr);
  if (isTaken || lane.frame.task('cpu')[task] !== explained.cpu) return null;
  const move = lane.history.moves.findLast((m) => m.task === task && m.from !== m.to);
  return { task, cpu, move: move?.from === cpu && move.to === explained.cpu ? move : null };
}

/** Paints the dashed outline of a thread, with its number. */
export function paintGhost(p: Picture, { rect, density }: Slot, { task }: Ghost): void {
  const { ctx } = p;
  const { token } = slotParts(rect, density);
  const margin = Math.max(3, token.w * 0.09);
  const side = token.w - 2 * margin;
  ctx.strokeStyle = rimOf(p, task);
  ctx.lineWidth = 2;
  ctx.setLineDash([4, 3]);
  roundRect(ctx, { x: token.x + margin, y: token.y + margin, w: side, h: side }, side * 0.24);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.lineWidth = 1;
  if (density === 'dot') return;
  setFont(p, side * 0.5, 600);
  ctx.textAlign = 'center';
  ctx.fillStyle = rimOf(p, task);
  ctx.fillText(
    labelsOf(p.names)[task] ?? '',
    token.x + token.w / 2,
    token.y + token.h / 2 + side * 0.03,
  );
}
