// Generated from the core; do not edit.
import type { IdleExitDelays } from "./IdleExitDelays";
import type { IdleTicks } from "./IdleTicks";
import type { TickPhase } from "./TickPhase";

/**
 * What decides who arrives first: signal delays and tick phases.
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
 * Delay from signalling a CPU of a wholly idle core; machine's value if left out.
 */
idleExitDeepNs?: number,
/**
 * Where each CPU's ticks lie.
 */
tickPhase: TickPhase,
/**
 * Whether idle CPUs take ticks.
 */
idleTicks: IdleTicks,
/**
 * What else an idle CPU serves only after the delay of leaving idleness.
 */
idleExitDelays: IdleExitDelays, };
