/** The page's state object, available to every component without passing it down. */
import { createContext } from 'svelte';
import type { Lab } from '../state/lab.svelte';

/** Reads and sets the lab of this page. A component takes parts out of it at once, or names them by `getParts`. */
export const [getLab, setLab] = createContext<Lab>();

/** The lab as far as a component names its parts: for those that change while the component is there. */
export const getParts = <Part extends keyof Lab = never>(): Pick<Lab, Part> => getLab();
