// Generated from the core; do not edit.

/**
 * An entity on a line of virtual time: a thread or a group. Times in ns, from the mean V of its line.
 */
export type LineEntity = {
/**
 * Number of the entity.
 */
entity: number,
/**
 * The thread, if it is one.
 */
task: number | null,
/**
 * Number of the line that it opens into, if it is a group.
 */
opens: number | null,
/**
 * Whether it runs, itself or something in it.
 */
running: boolean,
/**
 * Its virtual runtime less V: at most 0 where it is eligible.
 */
aheadNs: number,
/**
 * Its virtual deadline less V.
 */
deadlineNs: number,
/**
 * Load weight; 1024 is nice 0.
 */
weight: number,
/**
 * Its request in ns of CPU time.
 */
sliceNs: number,
/**
 * Whether it is owed time, or owes none.
 */
eligible: boolean,
/**
 * Whether it sleeps and counts only until it owes no more time.
 */
delayed: boolean,
/**
 * Whether it runs protected until its request is used up.
 */
protected: boolean,
/**
 * Whether a pick at this moment would choose it.
 */
next: boolean,
/**
 * Whether it is the next buddy.
 */
buddy: boolean, };
