/** Arrow keys on cards: from one to the next as they stand on the page. */
import type { Rect } from '../../lib/geom';

/** Cards whose tops differ by less than this are in one row. */
const SAME_ROW = 8;

/** The index of the card that an arrow key leads to; null if there is none, or for another key. */
export function cardAfter(rects: readonly Rect[], at: number, key: string): number | null {
  const here = rects[at];
  if (!here) return null;
  if (key === 'ArrowRight') return at + 1 < rects.length ? at + 1 : null;
  if (key === 'ArrowLeft') return at > 0 ? at - 1 : null;
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return null;
  const way = key === 'ArrowDown' ? 1 : -1;
  const middle = here.x + here.w / 2;
  let best: { i: number; down: number; aside: number } | null = null;
  for (const [i, r] of rects.entries()) {
    const down = (r.y - here.y) * way;
    if (down <= SAME_ROW) continue;
    const aside = Math.abs(r.x + r.w / 2 - middle);
    const isNearer = !best || down < best.down - SAME_ROW;
    if (isNearer || (down <= (best?.down ?? 0) + SAME_ROW && aside < (best?.aside ?? 0)))
      best = { i, down, aside };
  }
  return best?.i ?? null;
}
