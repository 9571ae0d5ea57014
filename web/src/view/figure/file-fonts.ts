/**
 * Fonts of a saved picture. The page brings its own, a file does not: after them stand fonts of about the same widths that
 * computers have, by names that drawing programs know, too. Those of the page's own stack that only browsers know
 * (`system-ui`, `ui-monospace`) are not among them.
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
