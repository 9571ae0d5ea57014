/**
 * The core's totals of equal spans as an image that is stretched over the rows: painted once per answer, drawn in
 * every frame.
 */
import type { Theme } from '../../../../lib/color';
import { standsForOthers, taskHue } from '../../../../lib/thread-hues';
import type { Past, LaneNames } from '../../../../sim/protocol';
import { rgb } from '../../pixels';

/** Numbers for each CPU and span. */
export const WORDS = 6;
/** No thread or group; as a part of a span, all of it. */
export const NOBODY = 65_535;

/** A painted answer. */
export interface Picture {
  readonly canvas: OffscreenCanvas;
  readonly fromNs: number;
  readonly lengthNs: number;
  /** Stretches: one pixel wide each. */
  readonly count: number;
  /** Height of a CPU in pixels. */
  readonly levels: number;
}

/**
 * A column for each span: filled from below as far as the CPU was busy, in the colour of the thread that had most of
 * it. The part for scheduler and caches has ink in every second pixel, so that it is a pattern, too.
 */
export function pictureOf(
  past: Past & { kind: 'stretches' },
  cpus: number,
  levels: number,
  o: { theme: Theme; names: LaneNames; selected: number | null },
): Picture | null {
  const count = Math.floor(past.words.length / (WORDS * cpus));
  if (count === 0 || typeof OffscreenCanvas === 'undefined') return null;
  const canvas = new OffscreenCanvas(count, cpus * levels);
  const ctx = canvas.getContext('2d');
  if (!ctx) return null;
  const image = ctx.createImageData(count, cpus * levels);
  const pixels = new Uint32Array(image.data.buffer);
  const ink = rgb(o.theme.ink);
  const pale = (hex: string) => (rgb(hex) & 0x00ffffff) | 0x47000000;
  const colours = new Map<number, readonly [number, number]>();
  const colourOf = (task: number) => {
    let found = colours.get(task);
    if (!found) {
      const hex = o.theme.of(taskHue(o.names, task, o.selected).fill);
      colours.set(task, (found = [rgb(hex), pale(hex) >>> 0]));
    }
    return found;
  };
  for (let i = 0; i < count; i++) {
    for (let cpu = 0; cpu < cpus; cpu++) {
      const at = (i * cpus + cpu) * WORDS;
      const word = (k: number) => past.words[at + k] ?? 0;
      if (word(2) === NOBODY) continue;
      const [full, light] = colourOf(word(0));
      const colour = o.selected !== null && word(0) !== o.selected ? light : full;
      const isUnknown = standsForOthers(o.names, word(0));
      // Anything that ran, however short, is visible.
      const busy = Math.max(1, Math.round((word(4) / NOBODY) * levels));
      const overhead = Math.round((word(5) / NOBODY) * levels);
      for (let l = 0; l < busy; l++) {
        // What a trace does not tell is hatched.
        if (isUnknown && (l + i) % 4 !== 0) continue;
        const isOverhead = l >= busy - overhead && (l + i) % 2 === 0;
        pixels[(cpu * levels + levels - 1 - l) * count + i] = isOverhead ? ink : colour;
      }
    }
  }
  ctx.putImageData(image, 0, 0);
  return { canvas, fromNs: past.fromNs, lengthNs: past.lengthNs, count, levels };
}
