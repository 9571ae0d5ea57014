// Generated from the core; do not edit.

/**
 * A steady-state model of heat: `ambient + perCore × active cores`, capped at `limit` by lowering the
 * frequency of all active cores.
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
limitMilliC: number, };
