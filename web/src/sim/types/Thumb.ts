// Generated from the core; do not edit.

/**
 * What a small picture of the scenario shows.
 */
export type Thumb = "machine" | "timeline" | "queue" | "bars";
