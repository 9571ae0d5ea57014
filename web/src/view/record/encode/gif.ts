/**
 * Pictures as a GIF that repeats for ever. Each picture has only the pixels that differ from the one before, with a
 * palette for these.
 */
import { GIFEncoder } from 'gifenc';
import type { Encoder } from './film-file';
import { paletteOf } from './palette';

/** Entries of a palette; the last one means "as before". */
const ENTRIES = 256;
const AS_BEFORE = ENTRIES - 1;
const OPAQUE = 0xff000000;

/** The changed pixels, as entries of a palette. */
export function changedPixels(
  now: Uint32Array,
  before: Uint32Array | null,
): { readonly index: Uint8Array; readonly palette: readonly (readonly number[])[] } {
  const isChanged = (at: number): boolean => !before || now[at] !== before[at];
  const { colours, entryOf } = paletteOf(now, AS_BEFORE, isChanged);
  const index = new Uint8Array(now.length);
  for (let i = 0; i < now.length; i++)
    index[i] = isChanged(i) ? (entryOf.get((now[i] ?? 0) & ~OPAQUE) ?? 0) : AS_BEFORE;
  const rest = Array.from({ length: ENTRIES - colours.length }, () => [0, 0, 0]);
  return { index, palette: [...colours, ...rest] };
}

/** See the module comment. GIFs have times in hundredths of a second: 100 has to be a multiple of `fps`. */
export class GifFilm implements Encoder {
  readonly #gif = GIFEncoder();
  readonly #delayMs: number;
  #before: Uint32Array | null = null;

  constructor(fps: number) {
    this.#delayMs = 1000 / fps;
  }

  add(canvas: HTMLCanvasElement): Promise<void> {
    const { width, height } = canvas;
    const ctx = canvas.getContext('2d');
    if (!ctx) throw new Error('the browser gives no canvas');
    const now = new Uint32Array(ctx.getImageData(0, 0, width, height).data.buffer);
    const { index, palette } = changedPixels(now, this.#before);
    this.#gif.writeFrame(index, width, height, {
      palette,
      delay: this.#delayMs,
      repeat: 0,
      // Pixels that are not written stay.
      dispose: 1,
      transparent: this.#before !== null,
      transparentIndex: AS_BEFORE,
    });
    this.#before = now;
    return Promise.resolve();
  }

  finish(): Promise<Blob> {
    this.#gif.finish();
    return Promise.resolve(new Blob([Uint8Array.from(this.#gif.bytes())], { type: 'image/gif' }));
  }

  close(): void {
    this.#before = null;
  }
}
