/** When the browser paints next. Without a page, as in tests, about 60 times a second. */

const FRAME_MS = 16;

/** Calls back before the next picture with the time in ms; returns a number other than 0. */
export function beforePicture(paint: (ms: number) => void): number {
  if (typeof requestAnimationFrame === 'function') return requestAnimationFrame(paint);
  setTimeout(() => {
    paint(performance.now());
  }, FRAME_MS);
  return 1;
}
