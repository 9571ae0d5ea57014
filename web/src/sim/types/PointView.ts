// Generated from the core; do not edit.
import type { Tab } from "./Tab";

/**
 * A place in the learner's run.
 */
export type PointView = {
/**
 * Lane, 0-based.
 */
lane: number,
/**
 * When; `null` if the step only selects.
 */
atNs: number | null,
/**
 * Number of the decision.
 */
decision: number | null,
/**
 * The thread that it is about.
 */
thread: string | null,
/**
 * The CPU that it is about.
 */
cpu: number | null,
/**
 * The tab of the timelines.
 */
tab: Tab | null, };
