/** The fonts of the page, for canvases: they are not repainted by themselves when a font arrives late. */

/** Every font that canvases use, or that would shift the layout when it arrives. */
const FACES = [
  '400 14px Inter',
  "400 17px 'Source Serif 4'",
  "600 17px 'Source Serif 4'",
  "italic 400 17px 'Source Serif 4'",
];

/** The page waits for fonts no longer than this; pictures are painted again when they arrive. */
const PATIENCE_MS = 1500;

/** Forget what was drawn or measured with other letters. */
const caches = new Set<() => void>();
let areThere = false;

/** Whether pictures have the page's own letters, or never will. */
export const hasLetters = (): boolean => areThere;

/** Keeps a function that forgets drawn or measured letters: it is called when the fonts arrive. */
export function forgetsLetters(forget: () => void): void {
  caches.add(forget);
}

/** Asks for the fonts. Called before the program is there, so that they come beside it and not behind it. */
export function fetchFonts(): Promise<unknown> {
  return Promise.allSettled(FACES.map((face) => document.fonts.load(face)));
}

/** Loads the fonts; resolves when they are there, failed, or take too long. `redraw` is called in any case. */
export async function loadFonts(redraw: () => void): Promise<void> {
  const loaded = fetchFonts().then(() => {
    areThere = true;
    for (const forget of caches) forget();
    redraw();
  });
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([loaded, late]);
}
