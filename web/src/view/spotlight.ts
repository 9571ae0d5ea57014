/** Which thread stands out in all views, while the others are dim. */
import type { Prefs } from '../state/prefs.svelte';
import type { Selection } from '../state/selection.svelte';

/** Name of the selected thread; for a class the one that the pointer is at comes first, so that it works as a spotlight. */
export function spotlit(page: {
  readonly prefs: Pick<Prefs, 'isPresenting'>;
  readonly selection: Pick<Selection, 'hovered' | 'thread'>;
}): string | null {
  const { hovered, thread } = page.selection;
  return page.prefs.isPresenting ? (hovered ?? thread) : thread;
}
