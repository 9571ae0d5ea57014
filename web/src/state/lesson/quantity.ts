/** Numbers of lessons as text: a value in the unit of its question. */
import { type Amount, amount, UNKNOWN } from '../../lib/amount';
import { digitsAfter, figures } from '../../lib/figures';
import { MS, SEC, US } from '../../lib/units';

const SIGNS: Readonly<Record<string, string>> = { us: 'µs', x: '×' };
const NS: Readonly<Record<string, number>> = { s: SEC, ms: MS, us: US, µs: US };

/** A unit as people write it. */
export function unitText(unit: string): string {
  return SIGNS[unit] ?? unit;
}

/** Digits after the point of a value with three digits in all; a whole number has none. */
const after = (value: number): number => (Number.isInteger(value) ? 0 : digitsAfter(value));

/** A value in its unit with three digits, or with a given number of digits after the point. */
export function valueOf(value: number | null, unit: string, digits?: number): Amount {
  if (value === null || !Number.isFinite(value)) return UNKNOWN;
  return amount(figures(value, digits ?? after(value)), unitText(unit));
}

/** The difference of two values as shown, with its sign; for `%` in points. */
export function differenceOf(value: number, from: number, unit: string): Amount {
  const shownAs = (one: number) => Number(one.toFixed(after(one)));
  const by = shownAs(value) - shownAs(from);
  const digits = Math.abs(by) >= 99.95 ? 0 : Math.max(after(value), after(from));
  const shown = valueOf(by, unit === '%' ? 'points' : unit, digits);
  return by > 0 ? amount(`+${shown.number}`, shown.unit) : shown;
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
