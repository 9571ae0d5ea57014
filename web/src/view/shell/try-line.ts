/** One line that says what to do first. */
import type { Scenario } from '../../sim/types/Scenario';

/** Shipped scenarios whose first thing to try is worth its own words. */
const LINES: Readonly<Record<string, string>> = {
  'bfs-smt':
    'Press play: BFS lets two jobs share a core while another core stands idle. Select a thread and ask why.',
  's0-v890':
    'Press play and watch who waits: 4BSD has one ladder for all CPUs, ULE a queue for each. Try one process more than CPUs.',
  's0-xeon':
    'Press play: two queues for all or one for each. Then change the number of processes by one and look again.',
  's1-yield-storm':
    'Step by switch: under 4BSD every yield takes the one lock of all CPUs. Try 1, then 100 processes.',
  's3-nice':
    'Open Inspect and play: the hands of the calendars turn. Then move the nice value of the first process.',
  's4-i7980x':
    'Play fast: every ten seconds one more job begins. Watch heat and clock from the fifth on.',
  's4-dhrystone': 'Press play, then add a process: where does the one go that finds no free core?',
};

/** The line for a scenario: its own words, else the first sentence of its notes. */
export function tryLine(id: string, isShipped: boolean, scenario: Scenario): string {
  const own = isShipped ? LINES[id] : undefined;
  if (own !== undefined) return own;
  const [first = ''] = (scenario.notes ?? '').split('\n');
  const end = first.search(/[.!?](\s|$)/);
  return end < 0 ? first : first.slice(0, end + 1);
}
