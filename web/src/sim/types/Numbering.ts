// Generated from the core; do not edit.

/**
 * How CPU numbers run over the contexts.
 */
export type Numbering = "coresFirst" | "siblingsAdjacent";
