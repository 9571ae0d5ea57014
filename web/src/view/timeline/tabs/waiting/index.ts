/** How many waited, over time. */
import { cpuOrder } from '../../../machine/areas';
import { SampledChart } from '../../chart/sampled.svelte';
import { usedCpus } from '../../rows';
import type { ChartOf, Tab } from '../../tab';
import { Heat } from './heat';
import { paintWaiting } from './paint';
import { waitingTable } from './table';

function chart(of: ChartOf): SampledChart {
  const { lane, page } = of;
  const heat = new Heat();
  const has = () => ({
    global: lane.shape.global.length > 0,
    perCpu: lane.shape.perCpu.length > 0,
  });
  return new SampledChart(of, {
    tasks: () => [],
    paint: (picture) => {
      const used = page.config && usedCpus(page.config.scenario);
      paintWaiting(picture, lane.tree, has(), heat, used);
    },
    table: (span, samples) => waitingTable(span, samples, cpuOrder(lane.tree), has()),
  });
}

export const waiting: Tab = { id: 'waiting', label: 'queue lengths', chart };
