/**
 * Up to so many colours for a picture, as a GIF has them. Pictures of the page are drawn with few colours on large areas,
 * and with many at the edges of letters and lines: colours that fill most are kept exactly, and the others share the rest
 * of the room by likeness.
 */

/** A palette, and the entry for each colour of the picture. */
export interface Palette {
  /** Red, green and blue, 0 to 255. */
  readonly colours: readonly (readonly [number, number, number])[];
  /** By colour as in pixels: `0x00bbggrr`. */
  readonly entryOf: ReadonlyMap<number, number>;
}

/** Part of the room for colours that are kept exactly. */
const EXACT = 3 / 4;
/** Of colours that share an entry, so many bits of each part are alike at first. */
const BITS = 4;

const RGB = 0xffffff;

const partsOf = (colour: number): readonly [number, number, number] => [
  colour & 0xff,
  (colour >> 8) & 0xff,
  (colour >> 16) & 0xff,
];

/** How often each colour is there; `isWanted` leaves pixels out. */
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

/** Middles of the fullest cells that like colours fall into. */
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

/** The palette of the wanted pixels of a picture, with `most` colours at most. */
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
