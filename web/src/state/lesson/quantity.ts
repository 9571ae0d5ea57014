/** Numbers of lessons as text: a value in the unit of its question. */
import { type Amount, amount, UNKNOWN } from '../answer/amount';
import { localFigures } from '../../lib/language';
import { MS, SEC, US } from '../../lib/units';

const SIGNS: Readonly<Record<string, string>> = { us: 'µs', x: '×' };
const NS: Readonly<Record<string, number>> = { s: SEC, ms: MS, us: US, µs: US };

/** A unit as people write it. */
export function unitText(unit: string): string {
  return SIGNS[unit] ?? unit;
}

/** Digits after the point of a value with three digits in all. */
function digitsAfter(value: number): number {
  const size = Math.abs(value);
  return size >= 99.95 || Number.isInteger(value) ? 0 : size >= 9.995 ? 1 : 2;
}

/** A value in its unit with three digits, or with a given number of digits after the point. */
export function valueOf(value: number | null, unit: string, digits?: number): Amount {
  if (value === null || !Number.isFinite(value)) return UNKNOWN;
  const size = Math.abs(value);
  const after = digits ?? digitsAfter(value);
  const [whole = '', rest] = size.toFixed(after).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u2009');
  const isMinus = value < 0 && Number(size.toFixed(after)) !== 0;
  const text = `${isMinus ? '−' : ''}${grouped}${rest === undefined ? '' : localFigures(`.${rest}`)}`;
  return amount(text, unitText(unit));
}

/** The difference of two values as shown, with its sign; for `%` in points. */
export function differenceOf(value: number, from: number, unit: string): Amount {
  const after = Math.max(digitsAfter(value), digitsAfter(from));
  const shownAs = (one: number) => Number(one.toFixed(digitsAfter(one)));
  const by = shownAs(value) - shownAs(from);
  const digits = Math.abs(by) >= 99.95 ? 0 : after;
  const shown = valueOf(by, unit === '%' ? 'points' : unit, digits);
  return by > 0 ? amount(`+${shown.number}`, shown.unit) : shown;
}

/** The two as one text. */
export function textOf({ number, unit }: Amount): string {
  return unit === '' ? number : `${number}\u00a0${unit}`;
}

/** A value that is a time, in ns; null for other units. */
export function nsOf(value: number, unit: string): number | null {
  const factor = NS[unit];
  return factor === undefined ? null : value * factor;
}

/** A number with a unit. */
export interface Named {
  readonly value: number;
  readonly unit: string;
}
