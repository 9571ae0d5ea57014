/** Colours as pixels of images. */

/** A colour `#rrggbb` as an opaque pixel: canvas pixels are little-endian RGBA. */
export function rgb(hex: string): number {
  const n = Number.parseInt(hex.slice(1, 7), 16);
  return (0xff000000 | ((n & 0xff) << 16) | (n & 0xff00) | (n >> 16)) >>> 0;
}
