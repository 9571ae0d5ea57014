/**
 * Threads at rest, drawn once and stamped from then on: hundreds of them wait in a picture, and text is what
 * costs most.
 */

/** Pictures that are kept; then all are drawn anew. */
const MOST = 2_500;
/** Room around a token for lines that are drawn half outside. */
const MARGIN = 1;

const sprites = new Map<string, HTMLCanvasElement>();

/** Stamps what `draw` paints into a square of `side`, with its middle at the given point. */
export function stamp(
  ctx: CanvasRenderingContext2D,
  key: string,
  side: number,
  at: { readonly x: number; readonly y: number },
  draw: (ctx: CanvasRenderingContext2D, middle: number) => void,
): void {
  const ratio = ctx.getTransform().a;
  const id = `${key}|${String(ratio)}`;
  const size = side + 2 * MARGIN;
  let sprite = sprites.get(id);
  if (!sprite) {
    if (sprites.size >= MOST) sprites.clear();
    sprite = document.createElement('canvas');
    sprite.width = Math.ceil(size * ratio);
    sprite.height = sprite.width;
    const own = sprite.getContext('2d');
    if (!own) return;
    own.setTransform(ratio, 0, 0, ratio, 0, 0);
    own.textBaseline = 'middle';
    draw(own, size / 2);
    sprites.set(id, sprite);
  }
  // On whole pixels of the screen, so that nothing is blurred.
  const whole = (n: number) => Math.round((n - size / 2) * ratio) / ratio;
  ctx.drawImage(sprite, whole(at.x), whole(at.y), sprite.width / ratio, sprite.height / ratio);
}
