/** What the page shows of something that was just opened. */
import { lanesThatDiffer, type Link } from '../../link/link';
import type { TimelineTab } from '../../link/view';
import type { Scenario } from '../../sim/types/Scenario';
import type { Tab } from '../../sim/types/Tab';
import type { LaneState } from '../lane.svelte';
import { openingSpeed } from './opening-speed';
import type { Playback } from '../playback.svelte';
import type { Run } from '../run.svelte';
import type { Selection } from '../selection.svelte';
import type { TimeWindow } from '../time-window.svelte';

/** With more CPUs than this, queues side by side cannot be read. */
const MANY_CPUS = 16;

/** Tab of the timelines that shows what a scenario names. */
const TAB_OF: Readonly<Record<Tab, TimelineTab>> = {
  runs: 'runs',
  shares: 'shares',
  queues: 'queues',
  waiting: 'waiting',
  priorities: 'values',
  values: 'values',
  speed: 'speed',
  events: 'events',
};

interface OpenedPage {
  readonly run: Run;
  readonly playback: Playback;
  readonly selection: Selection;
  readonly window: TimeWindow;
  readonly answer: { choice: object; readonly own: { open(text: string): void } };
}

/** Sets speed, tab and selection. `isOwn`: the scenario opens at its own moment, so its `opening` counts. */
export function showOpening(page: OpenedPage, { opening }: Scenario, isOwn: boolean): void {
  const own = isOwn ? opening : undefined;
  const { playback, run, selection, window } = page;
  playback.setSpeed(own?.speed ?? openingSpeed(run.lanes.map((lane) => lane.frame)));
  playback.goOnAt(own?.later ?? null);
  window.mark(null);
  window.follow(own?.windowNs ?? null);
  [window.column, window.eventKind] = ['', ''];
  // With many CPUs the view shows how queues grow and shrink: their slices are too low to be read one by one.
  const isCrowd = (run.tree?.core.length ?? 0) > MANY_CPUS;
  const tab = own?.tab === undefined ? (isCrowd ? 'waiting' : 'runs') : TAB_OF[own.tab];
  window.open(isCrowd && tab === 'queues' ? 'waiting' : tab);
  page.answer.choice = {};
  page.answer.own.open('');
  if (own?.select !== undefined) selection.point(own.select);
}

/** Says that a link gives another result here than where it was made; null if it does not. */
export function sayChanged(link: Link, all: readonly LaneState[]): string | null {
  const lanes = lanesThatDiffer(
    link,
    all.map((l) => l.digest),
  );
  if (lanes.length === 0) return null;
  const names = lanes.map((i) => `lane ${String(i + 1)} (${all[i]?.title ?? ''})`);
  return `The model has changed since this link was made: ${names.join(' and ')} ${lanes.length > 1 ? 'do' : 'does'} not run as ${lanes.length > 1 ? 'they' : 'it'} did then.`;
}
