/** The colours of any theme, whichever the page has. */
import { readTheme, type Theme } from '../../lib/color';
import type { Look } from '../../state/prefs.svelte';

/** Calls back with the colours of a theme, which can be read only during that call. */
export async function withTheme<T>(look: Look, use: (theme: Theme) => Promise<T>): Promise<T> {
  // The tokens apply below any element that names a theme.
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
