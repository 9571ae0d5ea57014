/**
 * What lies under the threads: packages, nodes, cores, and how full their caches are. It changes seldom and
 * costs much, so it is painted into a layer of its own, a few times a second while time runs, and at once
 * when something begins or ends to be idle.
 */
import { paintAreas } from './paint-areas';
import { beginPicture, type Picture } from './picture';

/** Nobody follows bars that change faster. */
const EVERY_MS = 90;

/** The layer of one lane. */
export class Ground {
  readonly #layer = document.createElement('canvas');
  #at = -Infinity;
  #layout: Picture['layout'] | null = null;
  #theme: Picture['theme'] | null = null;
  #busy = '';
  #ratio = 0;

  /** Paints the ground of a picture. `isStill`: nothing plays, so everything must be exact. */
  paint(p: Picture, nowMs: number, isStill: boolean): void {
    const { ctx, layout } = p;
    const ratio = ctx.getTransform().a;
    const busy = p.frame
      .cpu('curr')
      .map((task) => (task >= 0 ? 1 : 0))
      .join('');
    const isSame =
      !isStill &&
      nowMs - this.#at < EVERY_MS &&
      this.#layout === layout &&
      this.#theme === p.theme &&
      this.#ratio === ratio &&
      this.#busy === busy;
    if (!isSame) {
      this.#at = nowMs;
      this.#layout = layout;
      this.#theme = p.theme;
      this.#ratio = ratio;
      this.#busy = busy;
      this.#renew(p, ratio);
    }
    ctx.drawImage(this.#layer, 0, 0, this.#layer.width / ratio, this.#layer.height / ratio);
  }

  #renew(p: Picture, ratio: number): void {
    const layer = this.#layer;
    const ctx = layer.getContext('2d');
    if (!ctx) return;
    const [w, h] = [Math.ceil(p.layout.width * ratio), Math.ceil(p.layout.queue.y * ratio)];
    if (layer.width !== w || layer.height !== h) {
      layer.width = w;
      layer.height = h;
    }
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, p.layout.width, p.layout.height);
    ctx.textBaseline = 'middle';
    beginPicture(ctx);
    paintAreas({ ...p, ctx });
  }
}
