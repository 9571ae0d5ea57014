// Generated from the core; do not edit.

/**
 * A model of heat: the package drifts towards `ambient + perCore × active cores` with a time constant;
 * at `limit` the frequency of all active cores falls to what the limit allows.
 */
export type ThermalSpec = {
/**
 * Temperature with no core active.
 */
ambientMilliC: number,
/**
 * Rise with each active core.
 */
perCoreMilliC: number,
/**
 * Temperature that the throttle holds.
 */
limitMilliC: number,
/**
 * Time constant of warming and cooling; 0 acts at once.
 */
lagMs: number, };
