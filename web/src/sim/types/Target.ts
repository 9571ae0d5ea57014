// Generated from the core; do not edit.

/**
 * Which threads an edit is about. With neither field: every thread that is not background.
 */
export type Target = {
/**
 * Every thread of the group of this name.
 */
group?: string,
/**
 * The thread of this name, e.g. `dhry-3`. The edit waits for one that is yet to be forked.
 */
thread?: string, };
