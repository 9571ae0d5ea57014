/** The arcs of moves: where they run, which one is at a point, and a walk from one to the next. */
import { centre, type Point, type Rect } from '../../lib/geom';
import type { Move } from '../../sim/history';
import type { MachineLayout } from './layout';
import { arc, type Flow, type Trail } from './motion';
import { slotParts } from './slot';

/** An arc from one CPU to another. */
export interface Way {
  readonly a: Point;
  readonly b: Point;
  readonly cx: number;
  readonly cy: number;
}

/** How near a pointer must come. */
const NEAR = 7;
/** Pieces of an arc that the distance is measured to. */
const PIECES = 24;

/** Where the arc of a move runs; null where a CPU is not drawn. */
export function wayOf(layout: MachineLayout, from: number, to: number): Way | null {
  const [first, last] = [layout.slots[from], layout.slots[to]];
  if (!first || !last) return null;
  const a = centre(slotParts(first.rect, first.density).token);
  const b = centre(slotParts(last.rect, last.density).token);
  return { a, b, ...arc(a, b) };
}

/** A point of an arc, `t` from 0 to 1. */
function pointOf({ a, b, cx, cy }: Way, t: number): Point {
  const [u, v, w] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
  return { x: u * a.x + v * cx + w * b.x, y: u * a.y + v * cy + w * b.y };
}

/** The middle of the arc of a move, as a place without extent. */
export function middleOf(layout: MachineLayout, { from, to }: Move): Rect | null {
  const way = wayOf(layout, from, to);
  return way && { ...pointOf(way, 0.5), w: 0, h: 0 };
}

/** The newest move whose arc is at a point. */
export function moveAt(
  layout: MachineLayout,
  trails: readonly Trail[],
  flows: readonly Flow[],
  at: Point,
): Move | null {
  let best: Move | null = null;
  let nearest = NEAR;
  for (const move of movesIn(trails, flows)) {
    const way = wayOf(layout, move.from, move.to);
    if (!way) continue;
    for (let i = 0; i <= PIECES; i++) {
      const p = pointOf(way, i / PIECES);
      const distance = Math.hypot(p.x - at.x, p.y - at.y);
      if (distance >= nearest) continue;
      nearest = distance;
      best = move;
    }
  }
  return best;
}

/** The moves that arcs stand for, newest first: of a flow its last one. */
export function movesIn(trails: readonly Trail[], flows: readonly Flow[]): readonly Move[] {
  return [...trails, ...flows.map((f) => f.newest)].sort((x, y) => y.seq - x.seq);
}

/** The move after one of them, round and round. */
export function nextMove(all: readonly Move[], from: Move | null): Move | null {
  const at = all.findIndex((m) => m.seq === from?.seq);
  return all[(at + 1) % Math.max(1, all.length)] ?? null;
}
