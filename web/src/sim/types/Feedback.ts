// Generated from the core; do not edit.

/**
 * What is said of an answer.
 */
export type Feedback = {
/**
 * Expression over `said`, `truth` and `right`, e.g. `said == 2`, `right`, `first(said) == 4`,
 * `shape(said) == "line"`.
 */
when: string,
/**
 * At most 40 words; `{said}` and `{truth}` stand for both numbers.
 */
say: string, };
