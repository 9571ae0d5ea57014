/** A value that the scheduler keeps of threads: priorities, virtual times, scores. */
import { familyOf, jobsOf, SampledChart } from '../../chart/sampled.svelte';
import type { ChartOf, Tab } from '../../tab';
import { paintValues } from './paint';
import { valuesTable } from './table';

/** Most threads with a line if none is selected. */
const MOST = 8;

function chart(of: ChartOf): SampledChart {
  const { lane, page } = of;
  const columns = lane.entry?.taskColumns ?? [];
  const column = () => {
    const index = Math.max(
      0,
      columns.findIndex((c) => c.label === page.window.column),
    );
    return { index, ...(columns[index] ?? { label: '', unit: '' }) };
  };
  return new SampledChart(of, {
    tasks: () => (of.selected === null ? jobsOf(of).slice(0, MOST) : familyOf(of)),
    paint: (picture) => {
      const { index, unit } = column();
      paintValues(picture, index, unit);
    },
    table: (span, samples) => valuesTable(span, samples, lane.names, column()),
  });
}

export const values: Tab = { id: 'values', label: 'scheduler values', chart };
