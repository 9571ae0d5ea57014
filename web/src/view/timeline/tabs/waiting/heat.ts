/** Queue lengths as an image that is stretched over the rows: painted once per answer, drawn in every picture. */
import { HEATS, heatStep, heatToken, type Theme } from '../../../../lib/color';
import type { Samples } from '../../../../sim/samples';
import { rgb } from '../../pixels';

/** Colours of the steps as pixels. */
function paletteOf(theme: Theme): Uint32Array {
  return Uint32Array.from({ length: HEATS }, (_, step) => rgb(theme.of(heatToken(2 ** step))));
}

/**
 * Fills an image with the queue lengths of CPUs: a pixel for each sample, a row for each CPU. An empty queue leaves
 * its pixel empty.
 */
export function fillHeat(
  pixels: Uint32Array,
  samples: Samples,
  cpus: number,
  palette: Uint32Array,
): void {
  const { count } = samples;
  for (let i = 0; i < count; i++)
    for (let cpu = 0; cpu < cpus; cpu++) {
      const n = samples.waitingAt(i, cpu);
      pixels[cpu * count + i] = n > 0 ? (palette[heatStep(n)] ?? 0) : 0;
    }
}

/** The image of one chart: one canvas, which each answer repaints. */
export class Heat {
  #samples: Samples | null = null;
  #theme: Theme | null = null;
  #cpus = 0;
  #palette: Uint32Array = new Uint32Array();
  #canvas: OffscreenCanvas | null = null;
  #image: ImageData | null = null;

  /** The image of some samples; null without samples or without a canvas. */
  of(samples: Samples, cpus: number, theme: Theme): OffscreenCanvas | null {
    if (samples === this.#samples && theme === this.#theme && cpus === this.#cpus)
      return this.#canvas;
    if (theme !== this.#theme) this.#palette = paletteOf(theme);
    this.#samples = samples;
    this.#theme = theme;
    this.#cpus = cpus;
    this.#canvas = this.#paint(samples, cpus);
    return this.#canvas;
  }

  #paint(samples: Samples, cpus: number): OffscreenCanvas | null {
    const { count } = samples;
    if (count === 0 || cpus === 0 || typeof OffscreenCanvas === 'undefined') return null;
    let canvas = this.#canvas;
    if (canvas?.width !== count || canvas.height !== cpus) {
      canvas = new OffscreenCanvas(count, cpus);
      this.#image = null;
    }
    const ctx = canvas.getContext('2d');
    if (!ctx) return null;
    const image = (this.#image ??= ctx.createImageData(count, cpus));
    fillHeat(new Uint32Array(image.data.buffer), samples, cpus, this.#palette);
    ctx.putImageData(image, 0, 0);
    return canvas;
  }
}
