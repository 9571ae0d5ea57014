// Generated from the core; do not edit.
import type { PartKind } from "./PartKind";

/**
 * A part of a queue.
 */
export type QueuePart = {
/**
 * Id, e.g. `calendar`.
 */
id: string,
/**
 * What the part holds, in a few words.
 */
label: string,
/**
 * How it is built.
 */
kind: PartKind,
/**
 * Number of lists (levels, slots); 1 where there is one.
 */
places: number,
/**
 * Priorities that share a list.
 */
perPlace: number,
/**
 * Priority of the first list.
 */
first: number,
/**
 * The lists in which ordinary threads wait, first and last, if they are not all.
 */
focus: [number, number] | null, };
