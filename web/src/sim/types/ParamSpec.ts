// Generated from the core; do not edit.
import type { Mark } from "./Mark";
import type { ParamKind } from "./ParamKind";

/**
 * Declaration of one parameter.
 */
export type ParamSpec = {
/**
 * Key in the scenario file, e.g. `rrIntervalMs`.
 */
id: string,
/**
 * The name that the kernel or the literature uses, e.g. `rr_interval`.
 */
label: string,
/**
 * Unit for display (`ms`, `ns`, `%`, …); empty where there is none.
 */
unit: string,
/**
 * What it does, in a sentence.
 */
summary: string,
/**
 * How well the default is known.
 */
mark: Mark,
/**
 * Where the default and the range come from.
 */
source: string,
/**
 * Type, range, default.
 */
kind: ParamKind,
/**
 * Whether it may be changed while the simulation runs.
 */
live: boolean,
/**
 * What a group that is made anew gets, where that is not the default: files keep what they meant.
 */
forNew: number | null, };
