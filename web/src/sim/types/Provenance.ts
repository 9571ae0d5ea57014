// Generated from the core; do not edit.
import type { Mark } from "./Mark";

/**
 * Where numbers come from.
 */
export type Provenance = {
/**
 * Field paths or prefixes of them, e.g. `caches` or `costs.switchNs`.
 */
fields: Array<string>,
/**
 * How well they are known.
 */
mark: Mark,
/**
 * Source or reasoning.
 */
source: string, };
