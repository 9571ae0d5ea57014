/** The colour of letters on a hue. */
import { readTheme } from '../lib/color';

/**
 * Black or white for letters on a hue, whichever is more readable; it follows the colours of the page. To be called while
 * a component begins.
 */
export function followInks(prefs: { readonly colours: unknown }): (hue: string) => string {
  let theme = $state.raw(readTheme(document.documentElement));
  $effect(() => {
    void prefs.colours;
    // The page changes its colours after this effect.
    const frame = requestAnimationFrame(() => (theme = readTheme(document.documentElement)));
    return () => {
      cancelAnimationFrame(frame);
    };
  });
  return (hue) => theme.on(theme.of(hue));
}
