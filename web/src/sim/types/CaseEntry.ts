// Generated from the core; do not edit.
import type { CaseSet } from "./CaseSet";

/**
 * A case in a list.
 */
export type CaseEntry = {
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
points: number, };
