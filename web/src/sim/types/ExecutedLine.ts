// Generated from the core; do not edit.

/**
 * A line of a program that was executed.
 */
export type ExecutedLine = {
/**
 * The line, from 1.
 */
line: number,
/**
 * Names that it set, or found changed, with their values.
 */
values: Array<[string, string]>, };
