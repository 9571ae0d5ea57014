/**
 * Chooses the colours of a picture for a GIF. Pictures of the page have few colours on large areas, and many at the
 * edges of letters and lines. The most frequent colours are kept exactly; similar ones among the others share the
 * remaining entries.
 */

/** A palette, and the entry for each colour of the picture. */
export interface Palette {
  /** Red, green and blue, 0 to 255. */
  readonly colours: readonly (readonly [number, number, number])[];
  /** By colour as in pixels: `0x00bbggrr`. */
  readonly entryOf: ReadonlyMap<number, number>;
}

/** Part of the entries for exact colours. */
const EXACT = 3 / 4;
/** Bits of each channel that are equal, at first, in colours that share an entry. */
const BITS = 4;

const RGB = 0xffffff;

const partsOf = (colour: number): readonly [number, number, number] => [
  colour & 0xff,
  (colour >> 8) & 0xff,
  (colour >> 16) & 0xff,
];

/** Number of pixels by colour; `isWanted` leaves pixels out. */
function counted(pixels: Uint32Array, isWanted: (at: number) => boolean): Map<number, number> {
  const counts = new Map<number, number>();
  let [last, run] = [-1, 0];
  const put = (): void => {
    if (run > 0) counts.set(last, (counts.get(last) ?? 0) + run);
  };
  for (let i = 0; i < pixels.length; i++) {
    if (!isWanted(i)) continue;
    const colour = (pixels[i] ?? 0) & RGB;
    if (colour === last) {
      run += 1;
      continue;
    }
    put();
    [last, run] = [colour, 1];
  }
  put();
  return counts;
}

/** Averages of the fullest cells of similar colours. */
function middles(
  rest: readonly (readonly [number, number])[],
  most: number,
): readonly (readonly [number, number, number])[] {
  const cells = new Map<number, [number, number, number, number]>();
  for (const [colour, count] of rest) {
    const [r, g, b] = partsOf(colour);
    const shift = 8 - BITS;
    const key = ((r >> shift) << 16) | ((g >> shift) << 8) | (b >> shift);
    const sum = cells.get(key) ?? [0, 0, 0, 0];
    sum[0] += r * count;
    sum[1] += g * count;
    sum[2] += b * count;
    sum[3] += count;
    cells.set(key, sum);
  }
  return [...cells.values()]
    .sort((a, b) => b[3] - a[3])
    .slice(0, most)
    .map(([r, g, b, n]) => [Math.round(r / n), Math.round(g / n), Math.round(b / n)] as const);
}

function nearest(colours: readonly (readonly [number, number, number])[], colour: number): number {
  const [r, g, b] = partsOf(colour);
  let [best, least] = [0, Infinity];
  colours.forEach(([x, y, z], i) => {
    const far = (r - x) ** 2 + (g - y) ** 2 + (b - z) ** 2;
    if (far < least) [best, least] = [i, far];
  });
  return best;
}

/** The palette for the wanted pixels of a picture, with at most `most` colours. */
export function paletteOf(
  pixels: Uint32Array,
  most: number,
  isWanted: (at: number) => boolean = () => true,
): Palette {
  const ranked = [...counted(pixels, isWanted)].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const exact = ranked.slice(0, ranked.length <= most ? most : Math.floor(most * EXACT));
  const rest = ranked.slice(exact.length);
  const colours = [
    ...exact.map(([colour]) => partsOf(colour)),
    ...middles(rest, most - exact.length),
  ];
  const entryOf = new Map(exact.map(([colour], i) => [colour, i]));
  for (const [colour] of rest) entryOf.set(colour, nearest(colours, colour));
  return { colours, entryOf };
}
