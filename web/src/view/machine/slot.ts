/** The inside of a slot: what finds room in it, and where. */
import type { Rect } from '../../lib/geom';

/**
 * How much a slot can say: words beside the token, words above and below it, a token with its number
 * alone, or only a coloured square.
 */
export type Density = 'wide' | 'tall' | 'square' | 'dot';

/** Whether a slot has room for a name beside its token. */
function isWide(w: number, h: number): boolean {
  return w >= 98 && h >= 34;
}

/** Whether a slot has room for words above and below its token. */
function isTall(w: number, h: number): boolean {
  return w >= 40 && h >= 84;
}

/** How good a way to fill a slot is: the token that fits, and a bonus for words. */
function worthAs(density: Density, w: number, h: number): number {
  const { token } = slotParts({ x: 0, y: 0, w, h }, density);
  // A tower is mostly empty.
  const isTower = h > 2.5 * w;
  return token.w * (density === 'wide' ? 1.25 : density === 'tall' && !isTower ? 1.2 : 1);
}

/** How much fits into a slot of a size. */
export function densityOf(w: number, h: number): Density {
  const [wide, tall] = [isWide(w, h), isTall(w, h)];
  if (wide && tall) return worthAs('tall', w, h) > worthAs('wide', w, h) ? 'tall' : 'wide';
  if (wide || tall) return wide ? 'wide' : 'tall';
  return Math.min(w, h) >= 22 ? 'square' : 'dot';
}

/** How good a size of slot is. */
export function worth(w: number, h: number): number {
  if (w <= 0 || h <= 0) return Math.min(w, h);
  return worthAs(densityOf(w, h), w, h);
}

/** The parts of a slot. */
export interface SlotParts {
  readonly token: Rect;
  /** Speed bar; no height where there is no room. */
  readonly bar: Rect;
  /** Where words go: beside the token, or below it; null where there is no room. */
  readonly text: Rect | null;
}

/** Divides a slot. */
export function slotParts(rect: Rect, density: Density): SlotParts {
  if (density === 'wide') {
    const pad = Math.min(8, rect.h * 0.1);
    const barH = Math.min(12, Math.max(5, rect.h * 0.11));
    const top = rect.h - 2 * pad - barH - pad * 0.8;
    const size = Math.min(top, rect.w * 0.42);
    const token = { x: rect.x + pad, y: rect.y + pad + (top - size) / 2, w: size, h: size };
    const textX = token.x + size + pad;
    return {
      token,
      bar: { x: rect.x + pad, y: rect.y + rect.h - pad - barH, w: rect.w - 2 * pad, h: barH },
      text: { x: textX, y: rect.y + pad, w: rect.x + rect.w - pad - textX, h: top },
    };
  }
  if (density === 'tall') {
    const pad = Math.min(8, rect.w * 0.08);
    const line = Math.min(26, Math.max(14, rect.h * 0.16));
    const barH = Math.min(14, Math.max(6, rect.h * 0.08));
    const room = rect.h - 2 * pad - 2 * line - barH;
    const size = Math.min(rect.w - 2 * pad, room);
    const top = rect.y + pad + line + (room - size) / 2;
    return {
      token: { x: rect.x + (rect.w - size) / 2, y: top, w: size, h: size },
      bar: { x: rect.x + pad, y: rect.y + rect.h - pad - barH, w: rect.w - 2 * pad, h: barH },
      text: {
        x: rect.x + pad,
        y: rect.y + rect.h - pad - barH - line,
        w: rect.w - 2 * pad,
        h: line,
      },
    };
  }
  if (density === 'square') {
    const barH = Math.max(3, rect.h * 0.1);
    const size = Math.min(rect.w - 4, rect.h - barH - 7);
    return {
      token: {
        x: rect.x + (rect.w - size) / 2,
        y: rect.y + 2 + (rect.h - barH - 7 - size) / 2,
        w: size,
        h: size,
      },
      bar: { x: rect.x + (rect.w - size) / 2, y: rect.y + rect.h - barH - 2, w: size, h: barH },
      text: null,
    };
  }
  const size = Math.max(2, Math.min(rect.w, rect.h));
  return {
    token: { x: rect.x + (rect.w - size) / 2, y: rect.y + (rect.h - size) / 2, w: size, h: size },
    bar: { x: rect.x, y: rect.y + rect.h, w: rect.w, h: 0 },
    text: null,
  };
}
