// Generated from the core; do not edit.
import type { Lesson } from "./Lesson";

/**
 * A complete lesson, with its number.
 */
export type LessonText = {
/**
 * Number, from 1.
 */
number: number,
/**
 * Language of the texts, e.g. `en`.
 */
language: string,
/**
 * The lesson; expressions in texts are not filled in.
 */
lesson: Lesson, };
