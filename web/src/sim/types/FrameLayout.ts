// Generated from the core; do not edit.

/**
 * The columns of a frame. A frame is one `f64` array: header, CPU columns (column-major), task columns
 * (column-major), queue rows (row-major).
 */
export type FrameLayout = {
/**
 * Names of the header fields.
 */
header: Array<string>,
/**
 * Names of the fixed CPU columns; the scheduler's own follow.
 */
cpu: Array<string>,
/**
 * Names of the fixed task columns; one column per cause follows, then the scheduler's own.
 */
task: Array<string>,
/**
 * Names of the fields of a queue row.
 */
queue: Array<string>,
/**
 * Names of the fields of a trace row.
 */
trace: Array<string>, };
