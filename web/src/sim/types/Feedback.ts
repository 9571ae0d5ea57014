// Generated from the core; do not edit.

/**
 * Feedback to an answer.
 */
export type Feedback = {
/**
 * Expression over `said`, `truth` and `right`, e.g. `said == 2`, `right`, `first(said) == 4`,
 * `shape(said) == "line"`.
 */
when: string,
/**
 * At most 40 words; `{said}` and `{truth}` are replaced by both numbers.
 */
say: string, };
