/** The page's state objects, handed to every component without passing them through all of them. */
import { createContext } from 'svelte';
import type { Lab } from '../state/lab.svelte';

/** Reads and sets the lab of this page. */
export const [getLab, setLab] = createContext<Lab>();
