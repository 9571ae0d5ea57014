// Generated from the core; do not edit.

/**
 * A group of threads.
 */
export type GroupView = {
/**
 * Name.
 */
name: string,
/**
 * Whether it is not part of the measured workload.
 */
background: boolean,
/**
 * Id of the behaviour.
 */
behaviour: string,
/**
 * Application.
 */
process: string, };
