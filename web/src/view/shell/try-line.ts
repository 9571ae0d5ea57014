/** One line that says what to do first. */
import type { Scenario } from '../../sim/types/Scenario';

/**
 * The scenario's own words, else the first sentence of its notes. The words of a shipped scenario (`base`) hold only as
 * long as it is that scenario.
 */
export function tryLine(
  scenario: Scenario,
  base: Scenario | undefined,
  isShipped: boolean,
): string {
  const own = scenario.ask;
  if (own !== '' && (isShipped || own !== base?.ask)) return own;
  const [first = ''] = scenario.notes.split('\n');
  const end = first.search(/[.!?](\s|$)/);
  return end < 0 ? first : first.slice(0, end + 1);
}
