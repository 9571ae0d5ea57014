// Generated from the core; do not edit.

/**
 * An axis of a drawn line.
 */
export type Axis = {
/**
 * What it says.
 */
label: string,
/**
 * Unit of its numbers, as of [`Question::Number`].
 */
unit: string,
/**
 * Whether equal distances are equal factors.
 */
log: boolean,
/**
 * Least.
 */
min: number,
/**
 * Most.
 */
max: number, };
