/** Paints what moves over the ground of the machine: threads, their queues, and the ways that they went. */
import { paintMoves } from './paint-moves';
import { paintSlotWords } from './paint-slots';
import { paintOverflow, paintStrips, paintTray } from './paint-queue';
import { paintCursor, paintTokens } from './paint-tokens';
import { beginPicture, type Picture } from './picture';

/** Machines of at most so many CPUs have their words painted once more, wherever a move crosses them. */
const FEW = 16;

/** Words stay readable where moves cross them: the ground that they belong to lies under the moves. */
function paintCrossedWords(p: Picture): void {
  if (p.trails.length === 0) return;
  const ends = new Set(p.trails.flatMap((t) => [t.from, t.to]));
  const { slots } = p.layout;
  for (const slot of slots)
    if (slot.density !== 'dot' && (slots.length <= FEW || ends.has(slot.cpu)))
      paintSlotWords(p, slot);
}

/** Paints everything but the ground, back to front. */
export function paintMachine(p: Picture): void {
  const { ctx, layout } = p;
  beginPicture(ctx);
  ctx.clearRect(0, 0, layout.width, layout.height);
  ctx.textBaseline = 'middle';
  paintMoves(p);
  paintCrossedWords(p);
  paintStrips(p);
  paintTray(p);
  paintTokens(p);
  paintOverflow(p, p.scene.overflow);
  if (p.cursor) paintCursor(p, p.cursor);
}
