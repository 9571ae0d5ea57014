import { afterEach, describe, expect, it, vi } from 'vitest';
import { HEATS, heatStep, heatToken, type Theme } from '../../../../lib/color';
import { Samples } from '../../../../sim/samples';
import { fillHeat, Heat } from './heat';

/** Rows of time, one cause, one group, the global queue, and the queues of three CPUs. */
function samplesOf(rows: readonly (readonly number[])[]): Samples {
  const width = 7;
  const data = rows.flatMap((lengths, i) => [i * 10, 0, 0, 99, ...lengths]);
  return new Samples(Float64Array.from([width, ...data]), { causes: 1, groups: 1, cpus: 3 }, []);
}

describe('queue lengths as an image', () => {
  it('has a row for each CPU, a pixel for each sample, and a step for each doubling', () => {
    const samples = samplesOf([
      [0, 1, 2],
      [3, 4, 1_000_000],
    ]);
    const palette = Uint32Array.from({ length: HEATS }, (_, i) => 100 + i);
    const pixels = new Uint32Array(6).fill(7);
    fillHeat(pixels, samples, 3, palette);
    expect([...pixels]).toEqual([0, 101, 100, 102, 101, 100 + HEATS - 1]);
  });

  it('has the steps that the legend names', () => {
    for (const [n, step] of [
      [0.5, 0],
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 2],
      [127, 6],
      [128, 7],
      [100_000, 7],
    ] as const) {
      expect(heatStep(n)).toBe(step);
      expect(heatToken(n)).toBe(`--heat-${String(step)}`);
    }
  });
});

describe('the image of a chart', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('is painted once for each answer and theme, on the same canvas as long as its size stays', () => {
    let made = 0;
    let painted = 0;
    class Canvas {
      readonly width: number;
      readonly height: number;
      constructor(width: number, height: number) {
        made += 1;
        this.width = width;
        this.height = height;
      }
      getContext() {
        return {
          createImageData: (w: number, h: number) => ({ data: new Uint8ClampedArray(4 * w * h) }),
          putImageData: () => (painted += 1),
        };
      }
    }
    vi.stubGlobal('OffscreenCanvas', Canvas);
    const theme = () => ({ of: () => '#102030' }) as unknown as Theme;
    const light = theme();
    const heat = new Heat();
    const first = samplesOf([[0, 1, 2]]);
    for (let picture = 0; picture < 5; picture++) heat.of(first, 3, light);
    expect([made, painted]).toEqual([1, 1]);
    heat.of(samplesOf([[3, 1, 2]]), 3, light);
    expect([made, painted]).toEqual([1, 2]);
    heat.of(first, 3, theme());
    expect([made, painted]).toEqual([1, 3]);
    heat.of(
      samplesOf([
        [0, 1, 2],
        [0, 1, 2],
      ]),
      3,
      light,
    );
    expect([made, painted]).toEqual([2, 4]);
    expect(heat.of(samplesOf([]), 3, light)).toBeNull();
  });
});
