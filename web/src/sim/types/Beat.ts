// Generated from the core; do not edit.

/**
 * Something that happens to all queued threads at regular times.
 */
export type Beat = {
/**
 * What happens.
 */
label: string,
/**
 * Time between two of them, in ns; the first is one period after the start.
 */
periodNs: number, };
