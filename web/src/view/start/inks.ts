/** A readable text colour for the hue of a thread, in the present theme. */
import { createContext } from 'svelte';

/** Colour of the number on a hue, given as a custom property. */
export type Inks = (hue: string) => string;

/** Reads and sets the inks of Start. */
export const [getInks, setInks] = createContext<Inks>();
