/**
 * Images of resting threads, drawn once and then stamped: hundreds of them may wait in a picture, and text costs
 * most.
 */
import { forgetsLetters } from '../fonts';
import { ratioOf } from './picture';

/** Most images that are kept; then all are drawn again. */
const MOST = 8_000;
/** Margin around a token for lines that lie half outside. */
const MARGIN = 1;

/** Bitmaps, not canvases: the browser copies a canvas each time it is drawn. */
type Sprite = ImageBitmap | HTMLCanvasElement;

/** The appearance of a token. */
export interface Look {
  readonly hue: string;
  /** Colour of an outlined token's inside; empty for a filled token. */
  readonly inside: string;
  readonly name: string;
  /** In whole half pixels. */
  readonly side: number;
}

/** By pixel ratio, hue, inside and name; then by twice the side. */
type Book = Map<number, Map<string, Map<string, Map<string, (Sprite | undefined)[]>>>>;

const book: Book = new Map();
let kept = 0;

function forget(): void {
  book.clear();
  kept = 0;
}

forgetsLetters(forget);

/** The map of a key; created if there is none. */
function at<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let inner = map.get(key);
  if (!inner) map.set(key, (inner = new Map<L, V>()));
  return inner;
}

/** All images of a look, by twice their side. */
function sizesOf(ratio: number, { hue, inside, name }: Look): (Sprite | undefined)[] {
  const names = at(at(at(book, ratio), hue), inside);
  let sizes = names.get(name);
  if (!sizes) names.set(name, (sizes = []));
  return sizes;
}

/** One canvas for all bitmaps of a size: a new one costs more than the drawing on it. */
const makers = new Map<number, OffscreenCanvas>();
const MOST_MAKERS = 64;

function canvasFor(pixels: number): OffscreenCanvas | HTMLCanvasElement {
  if (typeof OffscreenCanvas === 'undefined') {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = pixels;
    return canvas;
  }
  let canvas = makers.get(pixels);
  if (!canvas) {
    if (makers.size >= MOST_MAKERS) makers.clear();
    makers.set(pixels, (canvas = new OffscreenCanvas(pixels, pixels)));
  }
  return canvas;
}

function make(
  pixels: number,
  ratio: number,
  draw: (ctx: CanvasRenderingContext2D) => void,
): Sprite | null {
  const canvas = canvasFor(pixels);
  // Both kinds of context have the parts that are used here.
  const ctx = canvas.getContext('2d') as CanvasRenderingContext2D | null;
  if (!ctx) return null;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.textBaseline = 'middle';
  draw(ctx);
  // Leaves an empty canvas behind.
  return 'transferToImageBitmap' in canvas ? canvas.transferToImageBitmap() : canvas;
}

/** Stamps the image that `draw` paints into a square, with its middle at the given point. */
export function stamp(
  ctx: CanvasRenderingContext2D,
  look: Look,
  where: { readonly x: number; readonly y: number },
  draw: (ctx: CanvasRenderingContext2D, middle: number) => void,
): void {
  const ratio = ratioOf(ctx);
  const size = look.side + 2 * MARGIN;
  let sizes = sizesOf(ratio, look);
  const index = Math.round(look.side * 2);
  let sprite = sizes[index];
  if (!sprite) {
    const made = make(Math.ceil(size * ratio), ratio, (own) => {
      draw(own, size / 2);
    });
    if (!made) return;
    if (kept >= MOST) {
      forget();
      sizes = sizesOf(ratio, look);
    }
    kept += 1;
    sizes[index] = sprite = made;
  }
  // On whole pixels of the screen, so that nothing is blurred.
  const whole = (n: number) => Math.round((n - size / 2) * ratio) / ratio;
  ctx.drawImage(
    sprite,
    whole(where.x),
    whole(where.y),
    sprite.width / ratio,
    sprite.height / ratio,
  );
}
