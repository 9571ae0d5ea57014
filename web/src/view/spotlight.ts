/** The thread that stands out in all views while the others are dimmed. */
import type { Prefs } from '../state/prefs.svelte';
import type { Selection } from '../state/selection.svelte';

/**
 * Name of the selected thread. While presenting, the thread under the pointer comes first, so that the pointer works
 * as a spotlight.
 */
export function spotlit(page: {
  readonly prefs: Pick<Prefs, 'isPresenting'>;
  readonly selection: Pick<Selection, 'hovered' | 'thread'>;
}): string | null {
  const { hovered, thread } = page.selection;
  return page.prefs.isPresenting ? (hovered ?? thread) : thread;
}
