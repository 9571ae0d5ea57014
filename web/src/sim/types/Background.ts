// Generated from the core; do not edit.
import type { Daemons } from "./Daemons";
import type { KernelThreads } from "./KernelThreads";

/**
 * Wake-ups that any real system has besides the measured workload.
 */
export type Background = {
/**
 * Ordinary daemons; none if left out.
 */
daemons?: Daemons,
/**
 * Kernel threads, one bound to each CPU; none if left out.
 */
kernelThreads?: KernelThreads, };
