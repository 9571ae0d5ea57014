/** Published experiments, run and judged here. */
import type { Feature } from '../feature';

export const replications: Feature = {
  id: 'replications',
  page: {
    at: 'replications',
    load: () => import('./Replications.svelte'),
    missing: 'The replications could not be loaded.',
    link: { name: 'Replications', fragment: 'r=' },
  },
  search: () => import('./findings'),
};
