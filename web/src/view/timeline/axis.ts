/** The axis of time: the place of a time on a canvas, and the time at a place. */

/** Room for the numbers of CPUs and scales, in CSS pixels: two small numbers of two digits side by side. */
export const LABEL_WIDTH = 34;

/** The axis of a timeline. */
export interface Axis {
  readonly fromNs: number;
  readonly toNs: number;
  /** Width of the whole canvas; the rows begin at `LABEL_WIDTH`. */
  readonly width: number;
  readonly height: number;
  /** While presenting: large letters, or none. */
  readonly isLarge?: boolean;
}

/** Font size in CSS pixels: text that would be smaller is left out. */
export function letterPx({ isLarge }: { readonly isLarge?: boolean }): number {
  return isLarge ? 20 : 12;
}

/** Where a time is. */
export function xOf(axis: Axis, ns: number): number {
  return (
    LABEL_WIDTH + ((ns - axis.fromNs) / (axis.toNs - axis.fromNs)) * (axis.width - LABEL_WIDTH)
  );
}

/** The time at a place. */
export function nsAt(axis: Axis, x: number): number {
  return axis.fromNs + ((x - LABEL_WIDTH) / (axis.width - LABEL_WIDTH)) * (axis.toNs - axis.fromNs);
}
