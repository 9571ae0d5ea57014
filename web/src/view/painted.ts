/** What each painter drew last, so that tests wait for a picture and never for a time. */
import { hasLetters } from './fonts';
import type { Surface } from './surface';

/** The last picture on a canvas. */
interface Mark {
  readonly width: number;
  readonly height: number;
  readonly hasLetters: boolean;
  /** Says what the picture does not show yet; empty if it shows the present. */
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
  if (!mark) return 'is not painted';
  const { width, height } = canvas;
  if (mark.width !== width || mark.height !== height)
    return `is ${String(width)} × ${String(height)}, painted ${String(mark.width)} × ${String(mark.height)}`;
  return mark.hasLetters ? mark.lacks() : 'has other letters';
}

/** The canvases of a part of the page that do not show the present, with reasons. */
export function unpainted(part: Element): readonly string[] {
  return [...part.querySelectorAll('canvas')].flatMap((canvas) => {
    const lack = lackOf(canvas);
    return lack === '' ? [] : [`${canvas.dataset['view'] ?? 'canvas'} ${lack}`];
  });
}
