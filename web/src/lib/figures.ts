/**
 * The digits of numbers: the one place that writes them. `format.ts` says them with their units as text, and the answer
 * line has numbers and units apart.
 */
import { localFigures } from './language';

/** Between thousands: a thin space that does not break. */
const THIN_SPACE = '\u202f';

/** Where thousands are separated. */
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/**
 * A number with so many digits after the point. The minus sign is a real one, and zero has none. Thousands are separated
 * unless told otherwise. Not by `Intl`, whose first use costs the first picture 16 ms.
 */
export function figures(value: number, after: number, isGrouped = true): string {
  const text = Math.abs(value).toFixed(after);
  const [whole = '', part] = text.split('.');
  const minus = value < 0 && Number(text) !== 0 ? '−' : '';
  const digits = isGrouped ? whole.replace(THOUSANDS, THIN_SPACE) : whole;
  return `${minus}${digits}${part === undefined ? '' : localFigures(`.${part}`)}`;
}

/** How many digits after the point give three that count: 0.64, 12.5, 130. */
export function digitsAfter(value: number): number {
  const size = Math.abs(value);
  return size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
}

/** Three digits that count; a larger number keeps all digits before the point. */
export const three = (value: number): string => figures(value, digitsAfter(value));

/** The same without zeros at the end behind the point. */
export function trimmed(value: number): string {
  const text = three(value);
  return /[.,]/.test(text) ? text.replace(/[.,]?0+$/, '') : text;
}

/** All digits of a number that has few. */
export const exact = (value: number): string => localFigures(String(value)).replace('-', '−');

/** As many digits as a round number has, at most six. */
export const shortest = (value: number): string => exact(Number(value.toPrecision(6)));
