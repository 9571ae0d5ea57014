// Generated from the core; do not edit.
import type { Answer } from "./Answer";
import type { Background } from "./Background";
import type { Control } from "./Control";
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
 * Format version; 1.
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
 * The one question of the scenario, in one line; plain text.
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
 * What else wakes up on the machine; nothing if left out.
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
 * When the run is over.
 */
end: EndCondition,
/**
 * Where the page opens the run; at a moment that the page finds if left out.
 */
opening?: Opening,
/**
 * The number that answers the question; by a rule of the page if left out.
 */
answer?: Answer,
/**
 * Controls that always stand in sight.
 */
controls: Array<Control>,
/**
 * Kinds of moments that the page points at, most important first.
 */
moments: Array<MomentKind>,
/**
 * What a small picture of it shows.
 */
thumb?: Thumb, };
