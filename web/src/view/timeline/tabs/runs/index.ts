/** Which thread ran on which CPU. */
import type { Tab } from '../../tab';
import { RunsChart } from './chart.svelte';

export const runs: Tab = { id: 'runs', label: 'who runs', chart: (of) => new RunsChart(of) };
