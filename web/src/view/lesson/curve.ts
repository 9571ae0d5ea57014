/** Places of the handles of a drawn line, and values at places. Pure functions. */
import { linearMapping, logMapping, type Mapping, roundDown125 } from '../../lib/scale';
import { clamp } from '../../lib/units';
import type { Axis } from '../../sim/types/Axis';

/** Size of the drawing in its own units; the margins are for labels. */
export const BOX = { width: 312, height: 210, left: 44, right: 10, top: 10, bottom: 34 } as const;

/** Number of steps by which a key can move a handle over the axis. */
const STEPS = 100;

function mappingOf({ log, max, min }: Axis): Mapping {
  return log && min > 0 ? logMapping(min, max) : linearMapping(min, max);
}

/** Where a value of the horizontal axis is. */
export function xOf(axis: Axis, at: number): number {
  return BOX.left + mappingOf(axis).toPosition(at) * (BOX.width - BOX.left - BOX.right);
}

/** Where a value of the vertical axis is. */
export function yOf(axis: Axis, value: number): number {
  return (
    BOX.height -
    BOX.bottom -
    mappingOf(axis).toPosition(value) * (BOX.height - BOX.top - BOX.bottom)
  );
}

/** A value with three digits, so that the shown value is the kept one. */
function rounded(value: number, axis: Axis): number {
  const step =
    roundDown125((Math.max(Math.abs(value), (axis.max - axis.min) / 1e3) / 500) * 1e6, 1) / 1e6;
  return clamp(Number((Math.round(value / step) * step).toPrecision(4)), axis.min, axis.max);
}

/** The value at a height. */
export function valueAt(axis: Axis, y: number): number {
  const part = (BOX.height - BOX.bottom - y) / (BOX.height - BOX.top - BOX.bottom);
  return rounded(mappingOf(axis).toValue(clamp(part, 0, 1)), axis);
}

/** A value some steps further up or down. */
export function moved(axis: Axis, value: number, steps: number): number {
  const mapping = mappingOf(axis);
  const at = mapping.toPosition(value) + steps / STEPS;
  return rounded(mapping.toValue(clamp(at, 0, 1)), axis);
}

/** The handle that is nearest to a place. */
export function nearest(axis: Axis, at: readonly number[], x: number): number {
  const far = at.map((value) => Math.abs(xOf(axis, value) - x));
  return far.indexOf(Math.min(...far));
}

/** The line before the learner draws: half-way up everywhere. */
export function flat(y: Axis, handles: number): readonly number[] {
  const middle = rounded(mappingOf(y).toValue(0.5), y);
  return Array<number>(handles).fill(middle);
}

/** A path through points. */
export function pathOf(points: readonly (readonly [number, number])[]): string {
  return points
    .map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('');
}
