// Generated from the core; do not edit.
import type { Difference } from "./Difference";
import type { Row } from "./Row";
import type { Step } from "./Step";
import type { Teacher } from "./Teacher";
import type { Transfer } from "./Transfer";

/**
 * A lesson.
 */
export type Lesson = {
/**
 * Format version; 1.
 */
format: number,
/**
 * Id, which is the name of its file.
 */
id: string,
/**
 * Name for people.
 */
title: string,
/**
 * Rung of the ladder: 1 one CPU, 2 several CPUs and siblings, 3 many cores and caches, 4 flaws.
 */
level: number,
/**
 * Duration in minutes.
 */
minutes: number,
/**
 * What the learner can do afterwards.
 */
goal: string,
/**
 * A common misconception about the subject.
 */
misconception: string,
/**
 * Id of its scenario: a file of `scenarios/lessons/scenarios/`.
 */
scenario: string,
/**
 * Whether it needs own policies. Pages and programs without them leave it out.
 */
ownPolicies?: boolean,
/**
 * Names of the lanes that hide their schedulers, e.g. `A` to `D`.
 */
laneLabels: Array<string>,
/**
 * From this step on lanes have the names of their schedulers; never if left out.
 */
laneLabelsUntil?: number,
/**
 * Runs that differ from the learner's own, by name: for `in(name, …)`.
 */
runs: { [key in string]: Difference },
/**
 * Rows of runs, by name: for `sweep(name, …)` and drawn curves.
 */
sweeps: { [key in string]: Row },
/**
 * The steps, in order.
 */
steps: Array<Step>,
/**
 * The last question: the same idea in another situation.
 */
transfer: Transfer,
/**
 * Texts for the teacher only.
 */
teacher: Teacher, };
