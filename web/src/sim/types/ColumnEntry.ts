// Generated from the core; do not edit.

/**
 * A column that a scheduler adds to the frame.
 */
export type ColumnEntry = {
/**
 * Id.
 */
id: string,
/**
 * Label.
 */
label: string,
/**
 * Unit (`ns`, `` …).
 */
unit: string, };
