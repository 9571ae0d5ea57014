/** Where a name may be cut: similar names differ at their ends, so the end stays and the middle goes. */

/** Letters that stay at the end of a name without a number. */
const LETTERS = 3;

/** The beginning of a name, which may be cut, and its end: `interactive` and `-7`. */
export function splitName(name: string): readonly [string, string] {
  const at = /-?\d+$/.exec(name)?.index ?? (name.length > 2 * LETTERS ? name.length - LETTERS : 0);
  return at === 0 ? [name, ''] : [name.slice(0, at), name.slice(at)];
}
