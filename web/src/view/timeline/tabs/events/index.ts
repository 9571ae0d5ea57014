/** The decisions of a lane as a list. */
import type { Tab } from '../../tab';
import EventList from './EventList.svelte';

export const events: Tab = { id: 'events', label: 'decisions', panel: EventList };
