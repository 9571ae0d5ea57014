// Generated from the core; do not edit.

/**
 * A measure.
 */
export type MetricEntry = {
/**
 * Id.
 */
id: string,
/**
 * Label.
 */
name: string,
/**
 * Unit for display: `ns`, `ratio`, `share` (a part of one), `count`, `perSecond`.
 */
unit: string,
/**
 * Definition, in a sentence.
 */
summary: string,
/**
 * `higher`, `lower` or `none`: which way is better.
 */
better: string, };
