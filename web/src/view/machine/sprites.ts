/**
 * Threads at rest, drawn once and stamped from then on: hundreds of them wait in a picture, and text is what
 * costs most.
 */
import { ratioOf } from './picture';

/** Pictures that are kept; then all are drawn anew. */
const MOST = 8_000;
/** Room around a token for lines that are drawn half outside. */
const MARGIN = 1;

/** Bitmaps rather than canvases: of a canvas that is drawn, the browser takes a copy each time. */
type Sprite = ImageBitmap | HTMLCanvasElement;

const sprites = new Map<string, Sprite>();

function make(
  pixels: number,
  ratio: number,
  draw: (ctx: CanvasRenderingContext2D) => void,
): Sprite | null {
  const canvas =
    typeof OffscreenCanvas === 'undefined'
      ? document.createElement('canvas')
      : new OffscreenCanvas(pixels, pixels);
  canvas.width = pixels;
  canvas.height = pixels;
  // The parts of both kinds of context that are used are the same.
  const ctx = canvas.getContext('2d') as CanvasRenderingContext2D | null;
  if (!ctx) return null;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.textBaseline = 'middle';
  draw(ctx);
  return 'transferToImageBitmap' in canvas ? canvas.transferToImageBitmap() : canvas;
}

/** Stamps what `draw` paints into a square of `side`, with its middle at the given point. */
export function stamp(
  ctx: CanvasRenderingContext2D,
  key: string,
  side: number,
  at: { readonly x: number; readonly y: number },
  draw: (ctx: CanvasRenderingContext2D, middle: number) => void,
): void {
  const ratio = ratioOf(ctx);
  const id = `${key}|${String(ratio)}`;
  const size = side + 2 * MARGIN;
  let sprite = sprites.get(id);
  if (!sprite) {
    if (sprites.size >= MOST) sprites.clear();
    const made = make(Math.ceil(size * ratio), ratio, (own) => {
      draw(own, size / 2);
    });
    if (!made) return;
    sprite = made;
    sprites.set(id, sprite);
  }
  // On whole pixels of the screen, so that nothing is blurred.
  const whole = (n: number) => Math.round((n - size / 2) * ratio) / ratio;
  ctx.drawImage(sprite, whole(at.x), whole(at.y), sprite.width / ratio, sprite.height / ratio);
}
