/**
 * Fonts of a saved picture. A file does not contain the page's own fonts. So fonts of similar widths follow in the
 * list, by names that drawing programs know. Generic names that only browsers know (`system-ui`, `ui-monospace`) are
 * left out.
 */
const SANS =
  "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";
const SERIF =
  "'Source Serif 4', 'Source Serif Pro', Georgia, 'Noto Serif', 'Liberation Serif', serif";
const MONO = "Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";

/** Fonts for a file, for a stack of the page. */
export function fileFonts(stack: string): string {
  if (/monospace/.test(stack)) return MONO;
  return /(?<!sans-)serif\s*$/.test(stack) ? SERIF : SANS;
}
