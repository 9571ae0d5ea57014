/** A rectangle in CSS pixels. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A point in CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The middle of a rectangle. */
export function centre(r: Rect): Point {
  return { x: r.x + r.w / 2, y: r.y + r.h / 2 };
}

/** The rectangle, smaller by `by` on every side, never negative. */
export function inset(r: Rect, by: number): Rect {
  return { x: r.x + by, y: r.y + by, w: Math.max(0, r.w - 2 * by), h: Math.max(0, r.h - 2 * by) };
}

/** Whether a point lies in a rectangle. */
export function contains(r: Rect, p: Point): boolean {
  return p.x >= r.x && p.x < r.x + r.w && p.y >= r.y && p.y < r.y + r.h;
}

/** A point between two numbers. */
export function lerp(a: number, b: number, t: number): number {
  return a + (b - a) * t;
}

/** Slow at both ends. */
export function ease(t: number): number {
  const c = Math.min(1, Math.max(0, t));
  return c < 0.5 ? 4 * c * c * c : 1 - (-2 * c + 2) ** 3 / 2;
}

/** Divides a length into `n` cells with gaps between them: start and size of cell `i`. */
export function cell(
  start: number,
  length: number,
  n: number,
  i: number,
  gap: number,
): [number, number] {
  const size = (length - gap * (n - 1)) / n;
  return [start + i * (size + gap), size];
}
