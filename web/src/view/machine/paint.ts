/** Paints what moves over the ground of the machine: threads, their queues, and the ways that they went. */
import { paintMoves } from './paint-moves';
import { paintSlotWords } from './paint-slots';
import { paintOverflow, paintStrips, paintTray } from './paint-queue';
import { paintCursor, paintTokens } from './paint-tokens';
import { beginPicture, type Picture } from './picture';

/** Paints everything but the ground, back to front. */
export function paintMachine(p: Picture): void {
  const { ctx, layout } = p;
  beginPicture(ctx);
  ctx.clearRect(0, 0, layout.width, layout.height);
  ctx.textBaseline = 'middle';
  paintMoves(p);
  for (const slot of layout.slots) if (p.lifted.has(slot.cpu)) paintSlotWords(p, slot);
  paintStrips(p);
  paintTray(p);
  paintTokens(p);
  paintOverflow(p, p.scene.overflow);
  if (p.cursor) paintCursor(p, p.cursor);
}
