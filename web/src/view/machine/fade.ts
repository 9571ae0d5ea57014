/** The end of a caption: what is no longer so fades, so that a reader sees that it was taken back. */
import type { Picture } from './picture';

/** Drawn ms until a caption is gone. */
export const FADE_MS = 300;

/** The words of a caption that ended, the longest first, where they stood, and how much of them is seen. */
export interface Fading {
  readonly words: readonly string[];
  readonly chip: number;
  /** 1 as before, 0 gone. */
  readonly strength: number;
}

/** Follows the captions of one machine. */
export class Fade {
  #last: Pick<Fading, 'words' | 'chip'> | null = null;
  #endMs: number | null = null;

  /** Nothing was said: after a jump in time no caption has ended. */
  reset(): void {
    this.#last = null;
    this.#endMs = null;
  }

  /** What is still seen of the last caption, unless another stands in its place. Without motion it is gone at once. */
  at(
    { main, isLoud }: Pick<Picture['said'], 'main' | 'isLoud'>,
    chip: number,
    nowMs: number,
    isCut: boolean,
  ): Fading | null {
    if (isLoud && main.length > 0) {
      this.#last = { words: main, chip };
      this.#endMs = null;
      return null;
    }
    if (!this.#last) return null;
    this.#endMs ??= nowMs;
    const strength = 1 - (nowMs - this.#endMs) / FADE_MS;
    if (!isCut && strength > 0) return { ...this.#last, strength };
    this.reset();
    return null;
  }
}
