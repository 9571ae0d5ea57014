// Generated from the core; do not edit.
import type { Axis } from "./Axis";
import type { Tolerance } from "./Tolerance";

/**
 * The kinds of answers.
 */
export type Question = { "type": "choice",
/**
 * The texts.
 */
options: Array<string>,
/**
 * Unit of the values, as of [`Question::Number`].
 */
unit?: string,
/**
 * The value that each option names, in the unit: `null` for one that names none. Left out where no option does.
 */
values?: Array<number | null>, } | { "type": "number",
/**
 * Unit: `s`, `ms`, `us`, `%`, `x` or nothing. Bounds, answer and truth are in this unit.
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
 * The texts.
 */
items: Array<string>, } | { "type": "curve",
/**
 * The horizontal axis; handles are at `at`.
 */
x: Axis,
/**
 * Up.
 */
y: Axis,
/**
 * Positions of the handles, ascending.
 */
at: Array<number>, };
