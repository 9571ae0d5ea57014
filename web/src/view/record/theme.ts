/** The colours of any look, whichever the page has. */
import { readTheme, type Theme } from '../../lib/color';
import type { Look } from '../../state/prefs.svelte';

/** Calls back with the colours of a look: they can be read for as long as that takes. */
export async function withTheme<T>(look: Look, use: (theme: Theme) => Promise<T>): Promise<T> {
  // Tokens hold below any element that names a look.
  const probe = document.createElement('div');
  probe.hidden = true;
  probe.dataset['theme'] = look;
  document.body.append(probe);
  try {
    return await use(readTheme(probe));
  } finally {
    probe.remove();
  }
}
