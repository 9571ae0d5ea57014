/** A number and its unit apart, for large type: three significant digits at most, a real minus sign, thin spaces. */
import { localFigures } from '../../lib/language';
import { MS, SEC, US } from '../../lib/units';

/** A number as text, and its unit, which stands smaller beside it. */
export interface Amount {
  readonly number: string;
  readonly unit: string;
}

/** Puts the two together. */
export function amount(number: string, unit = ''): Amount {
  return { number, unit };
}

/** Not known (yet). */
export const UNKNOWN: Amount = amount('–');

/** A number with the given count of digits after the point, in groups of three. */
function written(value: number, after: number): string {
  const text = Math.abs(value).toFixed(after);
  const [whole = '', rest] = text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u2009');
  const minus = value < 0 && Number(text) !== 0 ? '−' : '';
  return `${minus}${grouped}${rest === undefined ? '' : localFigures(`.${rest}`)}`;
}

/** Three significant digits; a larger number keeps all digits before the point. */
function digits(value: number): string {
  const size = Math.abs(value);
  return written(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

/** A whole number. */
export function countOf(value: number): Amount {
  return Number.isFinite(value) ? amount(written(value, 0)) : UNKNOWN;
}

/** A part of one: whole percent, below one percent a decimal. */
export function percentOf(part: number): Amount {
  if (!Number.isFinite(part)) return UNKNOWN;
  const percent = part * 100;
  const isSmall = Math.abs(percent) < 0.95 && Math.abs(percent) >= 0.05;
  return amount(written(percent, isSmall ? 1 : 0), '%');
}

/** A factor. */
export function ratioOf(value: number): Amount {
  return Number.isFinite(value) ? amount(digits(value), '×') : UNKNOWN;
}

/** A number of CPUs, on average over time. */
export function cpusOf(value: number): Amount {
  return Number.isFinite(value) ? amount(digits(value), 'CPUs') : UNKNOWN;
}

/** A time in the unit that suits its size, given in ns. */
export function timeOf(ns: number): Amount {
  if (!Number.isFinite(ns)) return UNKNOWN;
  const size = Math.abs(ns);
  // A value that rounds to 1000 of a unit is shown as 1 of the next unit.
  if (size >= 0.9995 * SEC) return amount(digits(ns / SEC), 's');
  if (size >= 0.9995 * MS) return amount(digits(ns / MS), 'ms');
  if (size >= 0.9995 * US) return amount(digits(ns / US), 'µs');
  return ns === 0 ? amount('0', 'ms') : amount(written(ns, 0), 'ns');
}

/** A clock, as a part of its full speed. */
export function clockOf(part: number): Amount {
  return percentOf(part);
}
