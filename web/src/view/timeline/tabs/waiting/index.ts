/** How many waited, over time. */
import { cpuOrder } from '../../../machine/areas';
import { SampledChart } from '../../chart/sampled.svelte';
import type { ChartOf, Tab } from '../../tab';
import { Heat } from './heat';
import { paintWaiting } from './paint';
import { waitingTwin } from './table';

function chart(of: ChartOf): SampledChart {
  const { lane } = of;
  const heat = new Heat();
  const has = () => ({
    global: lane.shape.global.length > 0,
    perCpu: lane.shape.perCpu.length > 0,
  });
  return new SampledChart(of, {
    tasks: () => [],
    paint: (picture) => {
      paintWaiting(picture, lane.tree, has(), heat);
    },
    table: (span, samples) => waitingTwin(span, samples, cpuOrder(lane.tree), has()),
  });
}

export const waiting: Tab = { id: 'waiting', label: 'queue lengths', chart };
