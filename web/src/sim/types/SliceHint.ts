// Generated from the core; do not edit.
import type { SliceWhy } from "./SliceWhy";

/**
 * Threads of a group whose slice changes nothing, or less than one might think.
 */
export type SliceHint = {
/**
 * The group.
 */
group: string,
/**
 * The threads, by number, ascending.
 */
tasks: Array<number>,
/**
 * Why.
 */
why: SliceWhy,
/**
 * Time between two looks of the clock, in ns, where that is why; else 0.
 */
tickNs: number,
/**
 * The same in a sentence.
 */
text: string, };
