/**
 * Charts of states at regular times: requests samples of the window from the core, and paints the ones that have
 * arrived.
 */
import type { Samples } from '../../../sim/samples';
import { samplesOf } from '../../../state/lane-samples';
import { Feed } from '../feed.svelte';
import type { Box, Chart, ChartOf } from '../tab';
import type { Span } from '../../../state/time-window.svelte';
import type { TableWords } from '../table-words';
import type { ChartPicture } from './picture';

/** Most threads whose lines are drawn beside that of the selected one. */
const MOST_LINES = 10;

/** The specific parts of a chart. */
export interface Sampled {
  /** Threads whose samples it needs. */
  tasks(): readonly number[];
  paint(picture: ChartPicture): void;
  table(span: Span, samples: Samples): TableWords;
}

/** See the module comment. */
export class SampledChart implements Chart {
  readonly #of: ChartOf;
  readonly #own: Sampled;
  readonly #feed: Feed<Samples>;
  readonly #tasks: readonly number[] = $derived.by(() => this.#own.tasks());

  constructor(of: ChartOf, own: Sampled) {
    this.#of = of;
    this.#own = own;
    this.#feed = new Feed(of.page, async (fromNs, toNs) => {
      const { page, lane, size } = of;
      const tasks = this.#tasks;
      const most = Math.ceil(Math.min(800, size.width));
      return samplesOf(page.run, lane, { fromNs, toNs, tasks, most });
    });
  }

  watch(): void {
    void [this.#feed.data, this.#tasks];
  }

  paint(box: Box): void {
    const { lane, selected } = this.#of;
    this.#feed.show(box.fromNs, box.toNs, this.#tasks.join());
    const { data } = this.#feed;
    if (!data) return;
    const has = data.tasks.length === this.#tasks.length;
    this.#own.paint({ ...box, samples: data, names: lane.names, selected: has ? selected : null });
  }

  table(span: Span, last: TableWords | null): TableWords | null {
    const { data } = this.#feed;
    return data ? this.#own.table(span, data) : last;
  }
}

/** Threads of the workload. */
export function jobsOf({ lane }: ChartOf): readonly number[] {
  return lane.jobs;
}

/** The selected thread and some of its group; empty if none is selected. */
export function familyOf(of: ChartOf): readonly number[] {
  const { lane, selected } = of;
  if (selected === null) return [];
  const group = lane.names.taskGroup[selected];
  const others = jobsOf(of).filter((i) => i !== selected && lane.names.taskGroup[i] === group);
  return [selected, ...others.slice(0, MOST_LINES)];
}
