/** Number of waiting threads as a table. */
import { withUnit } from '../../../../lib/format';
import type { Samples } from '../../../../sim/samples';
import type { Span } from '../../../../state/time-window.svelte';
import { SUMMARY, summary, type TableWords } from '../../table-words';

/** Number of waiting threads: in the global queue and in those of the CPUs. */
export function waitingTable(
  span: Span,
  samples: Samples,
  order: readonly number[],
  has: { readonly global: boolean; readonly perCpu: boolean },
): TableWords {
  const queue = (name: string, cpu: number) => [
    name,
    ...summary(span, samples.times, samples.waiting(cpu), (n) => withUnit(n, '')),
  ];
  const rows = [
    ...(has.global ? [queue('global queue', -1)] : []),
    ...(has.perCpu ? order.map((cpu) => queue(`cpu ${String(cpu)}`, cpu)) : []),
  ];
  return { what: 'Threads that waited', span, head: ['Queue', ...SUMMARY], rows };
}
