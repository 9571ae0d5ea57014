/** What timelines can show, and how it is called. */
import type { TimelineTab } from '../../state/time-window.svelte';

/** In the order of the list. */
export const TABS: readonly (readonly [TimelineTab, string])[] = [
  ['runs', 'who runs'],
  ['shares', 'shares over time'],
  ['waiting', 'queue lengths'],
  ['queues', 'queues now'],
  ['values', 'scheduler values'],
  ['speed', 'speed by cause'],
  ['events', 'decisions'],
];
