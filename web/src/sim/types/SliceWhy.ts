// Generated from the core; do not edit.

/**
 * Why a slice changes nothing, or less than one might think.
 */
export type SliceWhy = "notHere" | "realTime" | "alone" | "tick";
