/** One line that says what to do first. */
import type { Scenario } from '../../sim/types/Scenario';

/** The scenario's own words, else the first sentence of its notes; nothing once the notes are about another run. */
export function tryLine(scenario: Scenario, isChanged: boolean): string {
  if (scenario.ask !== '' || isChanged) return scenario.ask;
  const [first = ''] = scenario.notes.split('\n');
  const end = first.search(/[.!?](\s|$)/);
  return end < 0 ? first : first.slice(0, end + 1);
}
