/** The queues as they are now, each under its machine. */
import QueueView from '../../../machine/QueueView.svelte';
import type { Tab } from '../../tab';

export const queues: Tab = { id: 'queues', label: 'queues now', panel: QueueView, isNow: true };
