/** The tabs of the timelines, in the order of their list: one folder each. */
import type { Tab } from './tab';
import { events } from './tabs/events';
import { queues } from './tabs/queues';
import { runs } from './tabs/runs';
import { shares } from './tabs/shares';
import { speed } from './tabs/speed';
import { values } from './tabs/values';
import { waiting } from './tabs/waiting';

export const TABS: readonly Tab[] = [runs, shares, waiting, queues, values, speed, events];

/** A tab by its id. */
export function tabOf(id: Tab['id']): Tab {
  return TABS.find((tab) => tab.id === id) ?? runs;
}
