// Generated from the core; do not edit.

/**
 * Which threads an edit is about. With neither field: every thread that is not background.
 */
export type Target = {
/**
 * Every thread of the group with this name.
 */
group?: string,
/**
 * The thread with this name, e.g. `dhry-3`. If it has not been forked yet, the edit waits for it.
 */
thread?: string, };
