// Generated from the core; do not edit.
import type { ControlKind } from "./ControlKind";

/**
 * A control that is always visible.
 */
export type Control = {
/**
 * What it changes.
 */
kind: ControlKind,
/**
 * Name of the only group that it changes; every group if left out. Not for a tunable. For the kinds limit and period the
 * name of the control group.
 */
group?: string,
/**
 * Id of the tunable; for a tunable only.
 */
id?: string,
/**
 * Only in this lane (0-based); every lane whose scheduler has the tunable if left out. For a tunable only.
 */
lane?: number, };
