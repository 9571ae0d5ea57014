/** Pictures for tests: one comes as soon as the last is done, however slow the computer is, and stands for the same time. */
import { afterEach, beforeEach, vi } from 'vitest';

/** Drawn time between two pictures. */
export const FRAME_MS = 50;

/** Gives the tests of a file such pictures; returns the time that was drawn. */
export function drawnTime(): { readonly ms: number } {
  const drawn = { ms: 0 };
  beforeEach(() => {
    vi.stubGlobal('requestAnimationFrame', (paint: (ms: number) => void) => {
      setTimeout(() => {
        drawn.ms += FRAME_MS;
        paint(drawn.ms);
      });
      return 1;
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  return drawn;
}
