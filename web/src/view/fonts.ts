/** The fonts of the page, for what is painted: a canvas does not follow when they come late. */

/** Every face that canvases write with, or that moves what stands beside them. */
const FACES = [
  '400 14px Inter',
  "400 17px 'Source Serif 4'",
  "600 17px 'Source Serif 4'",
  "italic 400 17px 'Source Serif 4'",
];

/** Nobody waits longer for letters; pictures are painted again when they come. */
const PATIENCE_MS = 1500;

/** Loads the fonts; resolves when they are there, will not come, or take too long. `redraw` is called in any case. */
export async function loadFonts(redraw: () => void): Promise<void> {
  const loaded = Promise.allSettled(FACES.map((face) => document.fonts.load(face))).then(redraw);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([loaded, late]);
}
