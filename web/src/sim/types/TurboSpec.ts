// Generated from the core; do not edit.

/**
 * Clock by number of active cores.
 */
export type TurboSpec = {
/**
 * Clock with 1, 2, … active cores of a package; the last entry also applies to more cores.
 */
mhz: Array<number>,
/**
 * Whether it is on.
 */
enabled: boolean, };
