/** One line that says what to do first. */
import type { Scenario } from '../../sim/types/Scenario';

/** Shipped scenarios whose first thing to try is worth its own words. */
const LINES: Readonly<Record<string, string>> = {
  'bfs-smt':
    'Press play: BFS lets two jobs share a core while another core stands idle. Select a thread and ask why.',
};

/** The line for a scenario: its own words, else the first sentence of its notes. */
export function tryLine(id: string, isShipped: boolean, scenario: Scenario): string {
  const own = isShipped ? LINES[id] : undefined;
  if (own !== undefined) return own;
  const [first = ''] = (scenario.notes ?? '').split('\n');
  const end = first.search(/[.!?](\s|$)/);
  return end < 0 ? first : first.slice(0, end + 1);
}
