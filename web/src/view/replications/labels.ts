/** Labels beside the ends of lines, moved just far enough apart that they do not overlap. */

/** A label in its place. */
export interface Placed<T> {
  readonly item: T;
  readonly y: number;
}

/** Keeps a distance between neighbours, and all labels within bounds if there is room. */
export function spread<T extends { readonly y: number }>(
  items: readonly T[],
  distance: number,
  [top, bottom]: readonly [number, number],
): Placed<T>[] {
  const sorted = [...items].sort((a, b) => a.y - b.y);
  const at = sorted.map((item) => item.y);
  for (let i = 1; i < at.length; i++) {
    at[i] = Math.max(at[i] ?? 0, (at[i - 1] ?? 0) + distance);
  }
  // Labels that were pushed out at the bottom push back.
  let limit = bottom;
  for (let i = at.length - 1; i >= 0; i--) {
    at[i] = Math.min(at[i] ?? 0, limit);
    limit = (at[i] ?? 0) - distance;
  }
  const shift = Math.max(0, top - (at[0] ?? top));
  return sorted.map((item, i) => ({ item, y: (at[i] ?? 0) + shift }));
}
