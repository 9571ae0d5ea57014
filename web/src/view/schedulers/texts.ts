/** Words for the decisions of every scheduler. They are large, and nobody reads them before the first picture. */
import type { Texts } from './folder';

/** Texts by file, as `./bfs/words.json`. */
export const TEXTS = import.meta.glob<Texts>('./*/{words,rules,deviations}.json', {
  eager: true,
  import: 'default',
});
