/**
 * The arcs of moves and the lines between cores: their paths, the one at a point, and the order in which keys visit
 * them.
 */
import { centre, type Point, type Rect } from '../../lib/geom';
import type { Move } from '../../sim/history';
import type { MachineLayout } from './layout';
import { arc, type Trail } from './motion';
import { slotParts } from './slot';
import type { Link } from './totals';

/** An arc from one CPU to another. */
export interface Arc {
  readonly a: Point;
  readonly b: Point;
  readonly cx: number;
  readonly cy: number;
}

/** How near a pointer must be. */
const NEAR = 7;
/** The same for the number of a line. */
const NEAR_NUMBER = 14;
/** Pieces of an arc for measuring distances. */
const PIECES = 24;

/** The arc of a move; null where a CPU is not drawn. */
export function arcOf(layout: MachineLayout, from: number, to: number): Arc | null {
  const [first, last] = [layout.slots[from], layout.slots[to]];
  if (!first || !last) return null;
  const a = centre(slotParts(first.rect, first.density).token);
  const b = centre(slotParts(last.rect, last.density).token);
  return { a, b, ...arc(a, b) };
}

/** A point of an arc, `t` from 0 to 1. */
export function pointOf({ a, b, cx, cy }: Arc, t: number): Point {
  const [u, v, w] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
  return { x: u * a.x + v * cx + w * b.x, y: u * a.y + v * cy + w * b.y };
}

/** The middle of a move's arc, as a rectangle without size. */
export function middleOf(layout: MachineLayout, { from, to }: Move): Rect | null {
  const way = arcOf(layout, from, to);
  return way && { ...pointOf(way, 0.5), w: 0, h: 0 };
}

/** The newest move whose arc is at a point, or the last move of the line there. */
export function moveAt(
  layout: MachineLayout,
  trails: readonly Trail[],
  links: readonly Link[],
  at: Point,
): Move | null {
  const far = (p: Point) => Math.hypot(p.x - at.x, p.y - at.y);
  for (const { a, b, at: number, newest } of links) {
    if (!newest) continue;
    if (far(number) < NEAR_NUMBER) return newest;
    for (let i = 0; i <= PIECES; i++) {
      const t = i / PIECES;
      if (far({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t }) < NEAR) return newest;
    }
  }
  let best: Move | null = null;
  let nearest = NEAR;
  for (const move of movesIn(trails, [])) {
    const way = arcOf(layout, move.from, move.to);
    if (!way) continue;
    for (let i = 0; i <= PIECES; i++) {
      const distance = far(pointOf(way, i / PIECES));
      if (distance >= nearest) continue;
      nearest = distance;
      best = move;
    }
  }
  return best;
}

/** The moves of arcs and lines, newest first; a line gives its last move. */
export function movesIn(trails: readonly Trail[], links: readonly Link[]): readonly Move[] {
  const last = links.flatMap((l) => (l.newest ? [l.newest] : []));
  return [...trails, ...last].sort((x, y) => y.seq - x.seq);
}

/** The move after one of them, in a cycle. */
export function nextMove(all: readonly Move[], from: Move | null): Move | null {
  const at = all.findIndex((m) => m.seq === from?.seq);
  return all[(at + 1) % Math.max(1, all.length)] ?? null;
}
