/** The causes that took the time on a CPU: for the selected thread, else for all. */
import { SampledChart } from '../../chart/sampled.svelte';
import type { ChartOf, Tab } from '../../tab';
import { paintSpeed } from './paint';
import { speedTable } from './table';

function chart(of: ChartOf): SampledChart {
  const causes = of.page.run.catalog?.causes ?? [];
  return new SampledChart(of, {
    tasks: () => (of.selected === null ? [] : [of.selected]),
    paint: (picture) => {
      paintSpeed(picture, causes);
    },
    table: (span, samples) => speedTable(span, samples, causes, samples.tasks[0] ?? null),
  });
}

export const speed: Tab = { id: 'speed', label: 'speed by cause', chart };
