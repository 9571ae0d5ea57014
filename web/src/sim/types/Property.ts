// Generated from the core; do not edit.
import type { PropertyKind } from "./PropertyKind";
import type { PropertyWhen } from "./PropertyWhen";

/**
 * A property: something that `set PATH = VALUE` changes.
 */
export type Property = {
/**
 * Its path. `*` stands for one name or number, a final `**` for everything below.
 */
path: string,
/**
 * Name for people.
 */
label: string,
/**
 * What it is, in a sentence.
 */
summary: string,
/**
 * What its value may be.
 */
kind: PropertyKind,
/**
 * When it may be set.
 */
when: PropertyWhen,
/**
 * The value that it has if nothing sets it, in words. Empty if a scenario must have one, so that `null` is refused.
 */
default: string,
/**
 * The system call or command that does the same on a running system, if there is one.
 */
call: string,
/**
 * A value with which the property can be tried.
 */
example: string, };
