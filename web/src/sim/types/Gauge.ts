// Generated from the core; do not edit.

/**
 * A measure of a thread on a scale with a threshold.
 */
export type Gauge = {
/**
 * Task column that it shows.
 */
column: string,
/**
 * Label.
 */
label: string,
/**
 * End of the scale; it begins at 0.
 */
max: number,
/**
 * Below it something else holds.
 */
threshold: number,
/**
 * What holds below the threshold.
 */
below: string,
/**
 * What holds from the threshold on.
 */
above: string, };
