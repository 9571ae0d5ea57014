/** What each painter drew last, so that tests wait for a picture and never for a time. */
import { hasLetters } from './fonts';
import type { Surface } from './surface';

/** The last picture on a canvas. */
interface Mark {
  readonly width: number;
  readonly height: number;
  readonly hasLetters: boolean;
  /** A key for what the picture does not show yet; empty if it shows the present. */
  readonly lacks: () => string;
}

const marks = new WeakMap<HTMLCanvasElement, Mark>();

/** A painter has drawn all of a canvas; `lacks` says later whether the page has gone on since. */
export function painted({ canvas }: Surface, lacks: () => string): void {
  const { width, height } = canvas;
  marks.set(canvas, { width, height, hasLetters: hasLetters(), lacks });
}

function lackOf(canvas: HTMLCanvasElement): string {
  const mark = marks.get(canvas);
  if (!mark) return 'unpainted';
  const { width, height } = canvas;
  if (mark.width !== width || mark.height !== height)
    return [mark.width, mark.height, 'in-place-of', width, height].join('-');
  return mark.hasLetters ? mark.lacks() : 'other-letters';
}

/** The canvases of a part of the page that do not show the present, with reasons. */
export function unpainted(part: Element): readonly string[] {
  return [...part.querySelectorAll('canvas')].flatMap((canvas) => {
    const lack = lackOf(canvas);
    return lack === '' ? [] : [`${canvas.dataset['view'] ?? 'canvas'} ${lack}`];
  });
}

/** A page that nobody sees has no pictures. */
const PATIENCE_MS = 3_000;

/** Resolves when all canvases of the page show the present, or after a while without. */
export function allPainted(): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (unpainted(document.body).length === 0) resolve();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    setTimeout(resolve, PATIENCE_MS);
  });
}
