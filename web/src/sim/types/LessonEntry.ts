// Generated from the core; do not edit.
import type { Scenario } from "./Scenario";

/**
 * The entry of a lesson in lists; it never contains a result.
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
 * Duration in minutes.
 */
minutes: number,
/**
 * The text of its first step.
 */
situation: string,
/**
 * Number of steps, including the transfer.
 */
steps: number,
/**
 * Whether it needs own policies.
 */
ownPolicies: boolean,
/**
 * Its scenario with every default filled in.
 */
scenario: Scenario, };
