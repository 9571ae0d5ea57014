// Generated from the core; do not edit.
import type { IdleExitDelays } from "./IdleExitDelays";
import type { IdleTicks } from "./IdleTicks";
import type { TickPhase } from "./TickPhase";

/**
 * Signal delays and tick phases, which decide the order of simultaneous events.
 */
export type Timing = {
/**
 * Delay from signalling a busy CPU to its rescheduling; the machine's value if left out.
 */
kickNs?: number,
/**
 * Delay from signalling an idle CPU whose core is otherwise busy; machine's value if left out.
 */
idleExitNs?: number,
/**
 * Delay from signalling a CPU of a completely idle core; machine's value if left out.
 */
idleExitDeepNs?: number,
/**
 * The position of each CPU's ticks.
 */
tickPhase: TickPhase,
/**
 * Whether idle CPUs take ticks.
 */
idleTicks: IdleTicks,
/**
 * Which other events an idle CPU serves only after its idle-exit delay.
 */
idleExitDelays: IdleExitDelays, };
