/** Where the numbers of the presets come from: texts for whoever looks at them, loaded with the editor. */
import sources from '../../../../../scenarios/sources.json';
import type { Sources } from '../../../state/provenance';

/** Sources by preset. */
export const SOURCES = sources as unknown as Sources;
