// Generated from the core; do not edit.

/**
 * What only the teacher reads.
 */
export type Teacher = {
/**
 * What to ask the class.
 */
ask: string,
/**
 * What surprises.
 */
surprise: string,
/**
 * How the minutes go.
 */
time: string, };
