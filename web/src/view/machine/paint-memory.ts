/** Paints the nodes of the selected thread's memory: on the floor of each node, as wide as its part. */
import type { Box } from './layout';
import { hueOf, type Picture, rimOf } from './picture';

const THICK = 5;
const SIDE = 3;

/** The outermost box of each node. */
function floors(boxes: readonly Box[]): ReadonlyMap<number, Box> {
  const of = new Map<number, Box>();
  for (const box of boxes) {
    const { node } = box.area.ids;
    if (node === undefined || box.area.ids.core !== undefined) continue;
    const known = of.get(node);
    if (!known || known.rect.w * known.rect.h < box.rect.w * box.rect.h) of.set(node, box);
  }
  return of;
}

/** See the module comment; the words are in the line under the machine. */
export function paintMemory(p: Picture): void {
  const { ctx, lies, selected, theme } = p;
  if (selected === null || lies.length === 0) return;
  const parts = new Map(lies.map(({ node, part }) => [node, part]));
  ctx.lineWidth = 1;
  for (const [node, { rect }] of floors(p.layout.boxes)) {
    const [x, y] = [rect.x + SIDE, Math.round(rect.y + rect.h - THICK / 2)];
    const wide = rect.w - 2 * SIDE;
    ctx.fillStyle = theme.hair;
    ctx.fillRect(x, y, wide, THICK);
    const part = parts.get(node) ?? 0;
    if (part === 0) continue;
    const w = Math.max(2, part * wide);
    ctx.fillStyle = hueOf(p, selected);
    ctx.fillRect(x, y, w, THICK);
    ctx.strokeStyle = rimOf(p, selected);
    ctx.strokeRect(x + 0.5, y + 0.5, w - 1, THICK - 1);
  }
}
