// Generated from the core; do not edit.

/**
 * A number of a decision.
 */
export type OperandView = {
/**
 * What it is.
 */
name: string,
/**
 * Value.
 */
value: number,
/**
 * Unit.
 */
unit: string,
/**
 * What has the number as its own, by name, if the unit is `cgroup`.
 */
named?: string, };
