// Generated from the core; do not edit.
import type { CaseEntry } from "./CaseEntry";

/**
 * An exercise in a list.
 */
export type ExerciseEntry = {
/**
 * Its id.
 */
id: string,
/**
 * Name for people.
 */
title: string,
/**
 * What is asked.
 */
text: string,
/**
 * The policy of the textbook to begin with.
 */
template: string | null,
/**
 * The program to begin with, where there is no template.
 */
program: string | null,
/**
 * Its cases.
 */
cases: Array<CaseEntry>, };
