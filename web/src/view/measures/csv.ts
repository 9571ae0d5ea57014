/** Measures as a table for spreadsheets. */
import { csv } from '../../lib/csv';
import type { LaneState } from '../../state/lane.svelte';
import type { Row } from './rows';

/** Every measure of every lane, then every thread of every lane. */
export function measuresCsv(
  lanes: readonly LaneState[],
  measured: readonly Row[],
  causes: readonly string[],
): string {
  const names = lanes.map((lane, i) => `${String(i + 1)} ${lane.title}`);
  const measures = measured.map(({ entry, values }) => [entry.id, entry.unit, ...values]);
  const columns = ['runNs', 'workNs', 'waitNs', 'sleepNs', 'switches', 'preemptions', 'migrations'];
  const threads = lanes.flatMap((lane, l) =>
    lane.names.tasks
      .slice(0, lane.calm.tasks)
      .map((name, t) => [
        names[l] ?? '',
        name,
        ...columns.map((c) => lane.calm.task(c)[t] ?? Number.NaN),
        ...causes.map((c) => lane.calm.task(`sum:${c}`)[t] ?? Number.NaN),
      ]),
  );
  return csv([
    ['measure', 'unit', ...names],
    ...measures,
    [],
    ['lane', 'thread', ...columns, ...causes.map((c) => `${c}Ns`)],
    ...threads,
  ]);
}
