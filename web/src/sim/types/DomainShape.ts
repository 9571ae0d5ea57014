// Generated from the core; do not edit.

/**
 * CPUs that a balancer compares with each other.
 */
export type DomainShape = {
/**
 * The kernel's name of the level.
 */
name: string,
/**
 * Position from the inside out, on each of its CPUs.
 */
level: number,
/**
 * Its CPUs.
 */
cpus: Array<number>, };
