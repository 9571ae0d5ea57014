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
unit: string, };
