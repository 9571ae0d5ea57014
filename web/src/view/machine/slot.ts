/** The inside of a slot: which parts fit, and where. */
import type { Rect } from '../../lib/geom';

/**
 * How much a slot can show: a token with its number and pocket, or only a coloured square. In front of a class, the name
 * of the CPU above the token, and no pocket.
 */
export type Density = 'full' | 'named' | 'dot';

/** The density of a slot of a size. */
export function densityOf(w: number, h: number): Density {
  return Math.min(w, h) >= 22 ? 'full' : 'dot';
}

/** Smallest token beside which the name of the CPU finds room. */
const NAMED = 36;

/** The same in front of a class. */
export function densityInClassroom(w: number, h: number): Density {
  return namedSize(w, h) >= NAMED ? 'named' : densityOf(w, h);
}

/** The value of a slot size: the size of its token. */
export function worth(w: number, h: number): number {
  if (w <= 0 || h <= 0) return Math.min(w, h);
  return densityOf(w, h) === 'dot' ? Math.max(2, Math.min(w, h)) : tokenAboveLine(w, h);
}

function barHeight(h: number): number {
  return Math.min(14, Math.max(3, h * 0.1));
}

/** Room for the number of the CPU in the line of the speed bar, where no other place is left. */
const LINE = 11;
/** A shorter bar says nothing. */
const LEAST_BAR = 10;
/** Slots that are lower than this have no room for a number and a token. */
const NUMBERED = 34;

function tokenSize(w: number, h: number): number {
  return Math.min(w - 4, h - barHeight(h) - 7);
}

/** In front of a class the bar is lower, so that the thread is larger. */
function lowBar(h: number): number {
  return Math.min(5, barHeight(h));
}

/** Size of a token below the name of its CPU. */
function namedSize(w: number, h: number): number {
  return Math.min(w - 4, h - NUMBER - lowBar(h) - 6);
}

/** The same where the number of the CPU may stand in the line of the bar. */
function tokenAboveLine(w: number, h: number): number {
  return h < NUMBERED ? tokenSize(w, h) : Math.min(tokenSize(w, h), h - LINE - 3);
}

/** The parts of a slot. */
export interface SlotParts {
  readonly token: Rect;
  /** Speed bar; no height where there is no room. */
  readonly bar: Rect;
  /** Place of the threads that wait for this CPU: beside the token, or below it; over its corner if there is no room. */
  readonly pocket: Rect;
}

/** Least room for a separate pocket. */
const POCKET = 9;

/** Room for the number of the CPU above the token, and beside the pocket. */
const NUMBER = 12;

/** Where the middle of the right end of a CPU's number is, and the speed bar beside it. */
export interface NumberPlace {
  readonly x: number;
  readonly y: number;
  /** The room of the bar: a number in its line takes the right end. */
  readonly barW: number;
}

/** The place of a CPU's number: beside, above or below the token, else in the line of the bar; null in tiny slots. */
export function numberAt(
  rect: Rect,
  { token, bar }: Pick<SlotParts, 'token' | 'bar'>,
  width: number,
  px: number,
): NumberPlace | null {
  const x = rect.x + rect.w - 4;
  const beside = x - (token.x + token.w);
  const barW = bar.w;
  if (width <= beside || token.y - rect.y >= px - 1) return { x, y: rect.y + px * 0.7, barW };
  if (bar.y - (token.y + token.h) >= px - 2) return { x, y: bar.y - px * 0.5, barW };
  if (rect.y + rect.h - LINE < token.y + token.h || rect.h < NUMBERED) return null;
  const left = x - width - 4 - bar.x;
  return { x, y: rect.y + rect.h - LINE / 2, barW: left < LEAST_BAR ? 0 : left };
}

/** Divides a slot. */
export function slotParts(rect: Rect, density: Density): SlotParts {
  const { x, y, w, h } = rect;
  if (density === 'dot') {
    const size = Math.max(2, Math.min(w, h));
    const token = { x: x + (w - size) / 2, y: y + (h - size) / 2, w: size, h: size };
    return { token, bar: { x, y: y + h, w, h: 0 }, pocket: { x, y, w: 0, h: 0 } };
  }
  const barH = barHeight(h);
  const pad = Math.min(6, w * 0.05);
  const bar = { x: x + pad, y: y + h - barH - 2, w: w - 2 * pad, h: barH };
  if (density === 'named') {
    const low = { ...bar, y: bar.y + barH - lowBar(h), h: lowBar(h) };
    const size = namedSize(w, h);
    const above = NUMBER + Math.max(0, (h - NUMBER - low.h - 6 - size) / 2);
    const token = { x: x + (w - size) / 2, y: y + 2 + above, w: size, h: size };
    return { token, bar: low, pocket: { x, y, w: 0, h: 0 } };
  }
  const room = h - barH - 7;
  const size = tokenAboveLine(w, h);
  const [side, below] = [(w - size) / 2, room - size];
  // The rest of a tall slot goes to the pocket first, then to the CPU's number above the token; too little for a pocket
  // is enough for the number.
  const pocket = POCKET + 3;
  const middle = Math.max(0, Math.min(below / 2, h - 3 - LINE - size));
  const above =
    below < NUMBER - 3 ? middle : below < pocket ? below : below < pocket + NUMBER ? 0 : NUMBER;
  const token = { x: x + side, y: y + 2 + above, w: size, h: size };
  return { token, bar, pocket: pocketOf(rect, token, bar, side, above === NUMBER) };
}

function pocketOf(rect: Rect, token: Rect, bar: Rect, side: number, isNumberAbove: boolean): Rect {
  const right = rect.x + rect.w - 2;
  const under = bar.y - (token.y + token.h) - 2;
  if (side - 3 >= POCKET && side >= under) {
    const x = token.x + token.w + 1;
    return { x, y: token.y, w: right - x, h: token.h };
  }
  // The number of the CPU may stand at its end.
  const w = isNumberAbove ? token.w : token.w - NUMBER;
  if (under >= POCKET) return { x: token.x, y: token.y + token.h + 1, w, h: under };
  // Half of the running one, as far as that one's number stays readable.
  const free = right - (token.x + token.w * 0.8);
  const size = Math.max(7, token.w * 0.36, Math.min(token.w / 2, free));
  return { x: right - size, y: bar.y - 1 - size, w: size, h: size };
}
