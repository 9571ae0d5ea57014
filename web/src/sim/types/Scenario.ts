// Generated from the core; do not edit.
import type { Answer } from "./Answer";
import type { Background } from "./Background";
import type { Control } from "./Control";
import type { ControlGroup } from "./ControlGroup";
import type { EndCondition } from "./EndCondition";
import type { MachineRef } from "./MachineRef";
import type { MomentKind } from "./MomentKind";
import type { Opening } from "./Opening";
import type { SchedulerChoice } from "./SchedulerChoice";
import type { ThreadGroup } from "./ThreadGroup";
import type { Thumb } from "./Thumb";
import type { TimedEdit } from "./TimedEdit";
import type { Timing } from "./Timing";

/**
 * A complete, runnable description: the same scenario and seed give the same digest everywhere.
 */
export type Scenario = {
/**
 * Format version; 2.
 */
version: number,
/**
 * Name for people.
 */
name: string,
/**
 * What it shows; plain text.
 */
notes: string,
/**
 * The question of the scenario, in one line; plain text.
 */
ask: string,
/**
 * Seed of every random stream (0 to 2^53 - 1).
 */
seed: number,
/**
 * Preset id, or a machine written out.
 */
machine: MachineRef,
/**
 * One to four schedulers, each its own lane on the same workload, seed and clock.
 */
schedulers: Array<SchedulerChoice>,
/**
 * The threads.
 */
groups: Array<ThreadGroup>,
/**
 * Control groups by name: who shares the CPUs with whom, and limits. None if left out.
 */
cgroups?: { [key in string]: ControlGroup },
/**
 * Background wake-ups of the machine; none if left out.
 */
background?: Background,
/**
 * Signal delays and tick phases; the machine's own values where left out.
 */
timing: Timing,
/**
 * Changes during the run, in any order; equal times apply in the order of the list.
 */
edits: Array<TimedEdit>,
/**
 * The end of the run.
 */
end: EndCondition,
/**
 * Where the page opens the run; if left out, at a moment that the page finds.
 */
opening?: Opening,
/**
 * The number that answers the question; if left out, the page chooses it by a rule.
 */
answer?: Answer,
/**
 * Controls that are always visible.
 */
controls: Array<Control>,
/**
 * Kinds of moments that the page points out, most important first.
 */
moments: Array<MomentKind>,
/**
 * The content of its small picture.
 */
thumb?: Thumb, };
