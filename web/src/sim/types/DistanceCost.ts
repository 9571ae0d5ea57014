// Generated from the core; do not edit.

/**
 * What a line costs from a node at a distance.
 */
export type DistanceCost = {
/**
 * Firmware distance.
 */
distance: number,
/**
 * Time for a line relative to the local node's, in thousandths.
 */
milli: number, };
