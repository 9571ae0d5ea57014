// Generated from the core; do not edit.

/**
 * Range of a number in scenarios.
 */
export type BoundEntry = {
/**
 * Field, e.g. `groups.count`.
 */
field: string,
/**
 * Smallest value.
 */
min: number,
/**
 * Largest value.
 */
max: number,
/**
 * Unit.
 */
unit: string, };
