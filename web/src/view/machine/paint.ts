/** Paints everything above the ground of the machine: threads, their queues, and their moves. */
import { paintLimits } from './paint-limits';
import { paintLine } from './paint-line';
import { paintAnswerMove, paintLinks, paintRefused, paintTrails } from './paint-moves';
import { paintMemory } from './paint-memory';
import { paintOverflow, paintStems } from './paint-queue';
import { paintSight } from './paint-sight';
import { paintCursor, paintTokens } from './paint-tokens';
import { beginPicture, type Picture } from './picture';

/** Paints everything but the ground, back to front. */
export function paintMachine(p: Picture): void {
  const { ctx, layout } = p;
  beginPicture(ctx);
  ctx.clearRect(0, 0, layout.width, layout.height);
  ctx.textBaseline = 'middle';
  if (p.isTotal) paintLinks(p);
  else paintTrails(p);
  paintMemory(p);
  paintLine(p);
  paintLimits(p);
  paintStems(p, p.scene.placed);
  paintTokens(p);
  paintOverflow(p, p.scene.overflow);
  paintRefused(p);
  paintAnswerMove(p);
  if (p.sight) paintSight(p, p.sight);
  if (p.cursor) paintCursor(p, p.cursor);
}
