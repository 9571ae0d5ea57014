// Generated from the core; do not edit.
import type { Axis } from "./Axis";
import type { Tolerance } from "./Tolerance";

/**
 * What kind of answer a question has.
 */
export type Question = { "type": "choice",
/**
 * What each says.
 */
options: Array<string>, } | { "type": "number",
/**
 * How it is written: `s`, `ms`, `us`, `%`, `x` or nothing. Bounds, answer and truth are in this unit.
 */
unit: string,
/**
 * Least.
 */
min: number,
/**
 * Most.
 */
max: number,
/**
 * How far from the truth an answer counts as right: in the unit, or as `5%` of the truth.
 */
tolerance: Tolerance, } | { "type": "order",
/**
 * What each says.
 */
items: Array<string>, } | { "type": "curve",
/**
 * To the right; handles stand at `at`.
 */
x: Axis,
/**
 * Up.
 */
y: Axis,
/**
 * Where the handles stand, ascending.
 */
at: Array<number>, };
