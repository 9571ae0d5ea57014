/** Shares over time: of threads if each has its hue, else of groups; with a selected thread, of it and its group. */
import { hasOwnHues } from '../../../../lib/thread-hues';
import { familyOf, jobsOf, SampledChart } from '../../chart/sampled.svelte';
import type { ChartOf, Tab } from '../../tab';
import { paintShares } from './paint';
import { sharesTable } from './table';

function chart(of: ChartOf): SampledChart {
  const { lane } = of;
  return new SampledChart(of, {
    tasks: () => {
      if (of.selected !== null) return familyOf(of);
      return hasOwnHues(lane.names) ? jobsOf(of) : [];
    },
    paint: (picture) => {
      paintShares(picture, lane.tree.core.length);
    },
    table: (span, samples) => sharesTable(span, samples, lane.names),
  });
}

export const shares: Tab = { id: 'shares', label: 'shares over time', chart };
