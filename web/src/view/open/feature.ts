/** Kept work and files. */
import type { Feature } from '../feature';
import FileProblems from '../share/FileProblems.svelte';

export const open: Feature = {
  id: 'open',
  search: () => import('./findings'),
  over: [FileProblems],
};
