// Generated from the core; do not edit.
import type { Difference } from "./Difference";

/**
 * The same idea in another situation.
 */
export type Transfer = {
/**
 * The question.
 */
ask: string,
/**
 * The answer; may contain expressions, with `in(transfer, …)` for its own run.
 */
answer: string,
/**
 * How its run differs from the learner's; the run is called `transfer`.
 */
run?: Difference, };
