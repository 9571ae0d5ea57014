/** A value of the scheduler as a table. */
import { withUnit } from '../../../../lib/format';
import type { LaneNames } from '../../../../sim/protocol';
import type { Samples } from '../../../../sim/samples';
import type { Span } from '../../../../state/time-window.svelte';
import { SUMMARY, summary, type TableWords } from '../../table-words';

/** A value that the scheduler keeps of threads. */
export function valuesTable(
  span: Span,
  samples: Samples,
  names: LaneNames,
  column: { readonly index: number; readonly label: string; readonly unit: string },
): TableWords {
  const rows = samples.tasks.map((task) => [
    names.tasks[task] ?? '',
    ...summary(span, samples.times, samples.own(task, column.index), (v) =>
      withUnit(v, column.unit),
    ),
  ]);
  return { what: column.label, span, head: ['Thread', ...SUMMARY], rows };
}
