/** A number and its unit apart, for large type: three significant digits at most. */
import { figures, three, trimmed } from './figures';
import { MS, SEC, US } from './units';

/** A number as text, and its unit, which stands smaller beside it. */
export interface Amount {
  readonly number: string;
  readonly unit: string;
}

/** Puts the two together. */
export function amount(number: string, unit = ''): Amount {
  return { number, unit };
}

/** The two as one text. */
export function textOf({ number, unit }: Amount): string {
  return unit === '' ? number : `${number}\u00a0${unit}`;
}

/** Not known (yet). */
export const UNKNOWN: Amount = amount('–');

/** A whole number. */
export function countOf(value: number): Amount {
  return Number.isFinite(value) ? amount(figures(value, 0)) : UNKNOWN;
}

/** A part of one: whole percent, below one percent a decimal. */
export function percentOf(part: number): Amount {
  if (!Number.isFinite(part)) return UNKNOWN;
  const percent = part * 100;
  const isSmall = Math.abs(percent) < 0.95 && Math.abs(percent) >= 0.05;
  return amount(figures(percent, isSmall ? 1 : 0), '%');
}

/** A factor. */
export function ratioOf(value: number): Amount {
  return Number.isFinite(value) ? amount(three(value), '×') : UNKNOWN;
}

/** A number of CPUs, on average over time. */
export function cpusOf(value: number): Amount {
  return Number.isFinite(value) ? amount(three(value), 'CPUs') : UNKNOWN;
}

/** A time in the unit that suits its size, given in ns. */
export function timeOf(ns: number): Amount {
  if (!Number.isFinite(ns)) return UNKNOWN;
  const size = Math.abs(ns);
  // A value that rounds to 1000 of a unit is shown as 1 of the next unit.
  if (size >= 0.9995 * SEC) return amount(three(ns / SEC), 's');
  if (size >= 0.9995 * MS) return amount(three(ns / MS), 'ms');
  if (size >= 0.9995 * US) return amount(three(ns / US), 'µs');
  if (ns === 0) return amount('0', 'ms');
  return amount(size < 99.5 ? trimmed(ns) : figures(ns, 0), 'ns');
}

/** A clock, as a part of its full speed. */
export function clockOf(part: number): Amount {
  return percentOf(part);
}
