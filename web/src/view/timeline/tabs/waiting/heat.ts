/** Queue lengths as an image that is stretched over the rows: painted once per answer, drawn in every picture. */
import { heatToken, type Theme } from '../../../../lib/color';
import type { Samples } from '../../../../sim/samples';
import { rgb } from '../../pixels';

/** An answer as an image: a pixel for each sample, a row for each CPU. */
interface Heat {
  readonly canvas: OffscreenCanvas;
  readonly theme: Theme;
}

const painted = new WeakMap<Samples, Heat>();

/** The image of some samples; null where there are none, or nothing to paint on. */
export function heatOf(
  samples: Samples,
  lists: readonly (readonly number[])[],
  theme: Theme,
): OffscreenCanvas | null {
  const known = painted.get(samples);
  if (known?.theme === theme) return known.canvas;
  const count = samples.times.length;
  if (count === 0 || lists.length === 0 || typeof OffscreenCanvas === 'undefined') return null;
  const canvas = new OffscreenCanvas(count, lists.length);
  const ctx = canvas.getContext('2d');
  if (!ctx) return null;
  const image = ctx.createImageData(count, lists.length);
  const pixels = new Uint32Array(image.data.buffer);
  const colours = new Map<string, number>();
  lists.forEach((list, row) => {
    list.forEach((n, i) => {
      if (!(n > 0)) return;
      const token = heatToken(n);
      let colour = colours.get(token);
      if (colour === undefined) colours.set(token, (colour = rgb(theme.of(token))));
      pixels[row * count + i] = colour;
    });
  });
  ctx.putImageData(image, 0, 0);
  painted.set(samples, { canvas, theme });
  return canvas;
}
