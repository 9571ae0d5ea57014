/** Start: everything to learn, to explore and to check. */
import type { Feature } from '../feature';

export const start: Feature = {
  id: 'start',
  page: {
    at: 'start',
    load: () => import('./Start.svelte'),
    missing: 'Start could not be loaded.',
  },
  search: () => import('./findings'),
};
