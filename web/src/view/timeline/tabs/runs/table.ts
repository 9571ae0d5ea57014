/** Slices as a table. */
import { count, NOTHING, percent } from '../../../../lib/format';
import type { LaneNames, Past } from '../../../../sim/protocol';
import type { Slices } from '../../slices';
import type { Span } from '../../../../state/time-window.svelte';
import type { TableWords } from '../../table-words';
import { NOBODY, WORDS } from './stretches';

/** For each CPU: its load, the number of its threads, and the thread that had most of it. */
export function runsTable(
  span: Span,
  order: readonly number[],
  slices: Slices,
  names: LaneNames,
): TableWords {
  const { fromNs, toNs } = span;
  const whole = Math.max(1, toNs - fromNs);
  const rows = order.map((cpu) => {
    const had = new Map<number, number>();
    let switches = 0;
    for (const { from, to, task } of slices[cpu] ?? []) {
      const ns = Math.min(to, toNs) - Math.max(from, fromNs);
      if (ns <= 0) continue;
      if (from > fromNs) switches += 1;
      if (task >= 0) had.set(task, (had.get(task) ?? 0) + ns);
    }
    const busy = [...had.values()].reduce((sum, ns) => sum + ns, 0);
    const [most] = [...had].sort((a, b) => b[1] - a[1]);
    const whom = most ? `${names.tasks[most[0]] ?? ''} ${percent(most[1] / whole)}` : NOTHING;
    return [`cpu ${String(cpu)}`, percent(busy / whole), count(had.size), whom, count(switches)];
  });
  return { what: 'Who ran', span, head: ['CPU', 'Busy', 'Threads', 'Mostly', 'Switches'], rows };
}

/** The same from totals of equal spans, each with the thread that had most of it, where there are too many slices. */
export function stretchesTable(
  span: Span,
  order: readonly number[],
  past: Past & { kind: 'stretches' },
  names: LaneNames,
): TableWords {
  const { fromNs, toNs } = span;
  const cpus = order.length;
  const all = Math.floor(past.words.length / (WORDS * cpus));
  const first = Math.max(0, Math.floor((fromNs - past.fromNs) / past.lengthNs));
  const end = Math.min(all, Math.ceil((toNs - past.fromNs) / past.lengthNs));
  const stretches = Math.max(1, end - first);
  const rows = order.map((cpu) => {
    const had = new Map<number, number>();
    let busy = 0;
    for (let i = first; i < end; i++) {
      const word = (k: number) => past.words[(i * cpus + cpu) * WORDS + k] ?? 0;
      if (word(2) === NOBODY) continue;
      busy += word(4) / NOBODY;
      had.set(word(0), (had.get(word(0)) ?? 0) + 1);
    }
    const [most] = [...had].sort((a, b) => b[1] - a[1]);
    const whom = most ? (names.tasks[most[0]] ?? NOTHING) : NOTHING;
    return [`cpu ${String(cpu)}`, percent(busy / stretches), whom];
  });
  return { what: 'Who ran', span, head: ['CPU', 'Busy', 'Mostly'], rows };
}
