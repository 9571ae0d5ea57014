/** The page on paper. */
import type { Feature } from '../feature';
import OnPaper from './OnPaper.svelte';

export const paper: Feature = { id: 'paper', over: [OnPaper] };
