// Generated from the core; do not edit.
import type { ParamValue } from "./ParamValue";

/**
 * The behaviour of the threads of a group.
 */
export type BehaviourChoice = {
/**
 * Id of a behaviour, e.g. `dhrystone`.
 */
kind: string,
/**
 * Parameters that differ from the defaults of the behaviour.
 */
params: { [key in string]: ParamValue }, };
