/** Order of things by their dates. */

/**
 * Compares two dates in ms since 1970: newest first. A date in the future is that of a clock that was wrong; it comes
 * after all others, or what is written now would never be first.
 */
export function newestFirst(a: number, b: number, now = Date.now()): number {
  return Number(a > now) - Number(b > now) || b - a;
}
