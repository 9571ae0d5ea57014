// Generated from the core; do not edit.
import type { CaseSet } from "./CaseSet";
import type { CheckResult } from "./CheckResult";

/**
 * A case with a program.
 */
export type Tried = {
/**
 * Its id.
 */
id: string,
/**
 * The situation.
 */
text: string,
/**
 * Who sees it when.
 */
set: CaseSet,
/**
 * What it is worth.
 */
points: number,
/**
 * Whether everything holds.
 */
passed: boolean,
/**
 * The sentence with which the program's lane stopped, if it did; then nothing was measured.
 */
stopped: string | null,
/**
 * The seed of the run to look at: the first that fails, else the first.
 */
seed: number,
/**
 * Each check.
 */
checks: Array<CheckResult>, };
