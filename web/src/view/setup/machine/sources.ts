/** Sources of the presets' numbers: texts that are loaded with the editor. */
import sources from '../../../../../scenarios/sources.json';
import type { Sources } from '../../../state/provenance';

/** Sources by preset. */
export const SOURCES = sources as unknown as Sources;
