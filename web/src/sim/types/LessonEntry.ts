// Generated from the core; do not edit.
import type { Scenario } from "./Scenario";

/**
 * What lists show of a lesson: never a result.
 */
export type LessonEntry = {
/**
 * Number, from 1: its place in the registry, and in links (`#l1.5`).
 */
number: number,
/**
 * Id.
 */
id: string,
/**
 * Name.
 */
title: string,
/**
 * Rung of the ladder.
 */
level: number,
/**
 * How long it takes.
 */
minutes: number,
/**
 * The text of its first step.
 */
situation: string,
/**
 * How many steps it has, the transfer included.
 */
steps: number,
/**
 * Its scenario with every default filled in.
 */
scenario: Scenario, };
