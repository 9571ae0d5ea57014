/** Which lanes an expression of a lesson asks, so that a guess stands beside these only. Pure functions. */

/** A call whose first argument is a number: of all functions, only `fork` counts something else than lanes there. */
const CALL = /\b([a-zA-Z]\w*)\(\s*(\d+)\s*[,)]/g;

/** The lanes that an expression names, from 0; empty if it names none, or asks all of them. */
export function lanesOf(expression: string): ReadonlySet<number> {
  const calls = [...expression.matchAll(CALL)].filter(([, name]) => name !== 'fork');
  return new Set(calls.map(([, , lane]) => Number(lane) - 1));
}

/** Whether what is drawn has a lane that the expression asks; one that names no lane is about all. */
export function isAbout(expression: string, drawn: readonly number[]): boolean {
  const lanes = lanesOf(expression);
  return lanes.size === 0 || drawn.some((lane) => lanes.has(lane));
}
