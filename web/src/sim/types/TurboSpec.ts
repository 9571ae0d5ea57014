// Generated from the core; do not edit.

/**
 * Clock by number of active cores.
 */
export type TurboSpec = {
/**
 * Clock with 1, 2, … active cores of a package; the last entry stands for all more.
 */
mhz: Array<number>,
/**
 * Whether it is on.
 */
enabled: boolean, };
