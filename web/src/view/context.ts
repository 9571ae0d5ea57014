/** The page's state object, available to every component without passing it down. */
import { createContext } from 'svelte';
import type { Lab } from '../state/lab.svelte';

/** Reads and sets the lab of this page. */
export const [getLab, setLab] = createContext<Lab>();
