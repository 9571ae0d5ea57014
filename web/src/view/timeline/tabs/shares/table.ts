/** Shares as a table. */
import { percent, plain } from '../../../../lib/format';
import type { LaneNames } from '../../../../sim/protocol';
import type { Samples } from '../../../../sim/samples';
import type { Span } from '../../../../state/time-window.svelte';
import { SUMMARY, summary, type TableWords } from '../../table-words';

/** CPUs that groups or the chosen threads had. */
export function sharesTable(span: Span, samples: Samples, names: LaneNames): TableWords {
  const isOfThreads = samples.tasks.length > 0;
  const rows = isOfThreads
    ? samples.tasks.map((task) => {
        const { times, values } = samples.taskShare(task);
        return [names.tasks[task] ?? '', ...summary(span, times, values, percent)];
      })
    : names.groups.map((group, i) => {
        const { times, values } = samples.groupShare(i);
        return [group.name, ...summary(span, times, values, plain)];
      });
  const what = isOfThreads ? 'Share of a CPU' : 'CPUs that a group had';
  return { what, span, head: [isOfThreads ? 'Thread' : 'Group', ...SUMMARY], rows };
}
