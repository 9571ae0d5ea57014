/** Causes as a table. */
import { percent } from '../../../../lib/format';
import type { Samples } from '../../../../sim/samples';
import type { CauseEntry } from '../../../../sim/types/CauseEntry';
import type { Span } from '../../../../state/time-window.svelte';
import { SUMMARY, summary, type TableWords } from '../../table-words';

/** Causes that took the time on a CPU, for a thread or for all. */
export function speedTable(
  span: Span,
  samples: Samples,
  causes: readonly CauseEntry[],
  task: number | null,
): TableWords {
  const rows = causes.map((cause, i) => {
    const { times, values } = samples.causeShare(i, task);
    return [cause.name, ...summary(span, times, values, percent)];
  });
  return { what: 'Where time on a CPU went', span, head: ['To', ...SUMMARY], rows };
}
