/**
 * Numbers of claims as text. Separate from `format.ts`, as only pages about claims load it. Small numbers keep their
 * digits, and a mean has as many decimals as its interval allows.
 */
import { figures } from './figures';
import { NOTHING } from './format';

/** Digits that count. */
const DIGITS = 3;
/** Most digits of a mean, however narrow its interval is. */
const MOST_DIGITS = 6;
/** Below this a power of ten is easier to read. */
const SMALL = 1e-6;

/** Place of the first digit: 0 for 1 to 9.99, −1 for 0.1 to 0.99. */
const placeOf = (value: number) => Math.floor(Math.log10(Math.abs(value)));

function withDecimals(value: number, decimals: number): string {
  const after = Math.min(20, Math.max(0, decimals));
  const isLong = Number(Math.abs(value).toFixed(after)) >= 10_000;
  return figures(value, after, isLong);
}

/** A number with three significant digits. */
export function significant(value: number): string {
  if (!Number.isFinite(value)) return NOTHING;
  if (value === 0) return '0';
  if (Math.abs(value) < SMALL) return value.toExponential(1).replaceAll('-', '−');
  // Rounding may add a digit before the point: 9.996 becomes 10.0.
  const rounded = Number(value.toPrecision(DIGITS));
  return withDecimals(value, DIGITS - 1 - placeOf(rounded));
}

/**
 * A mean with half of its interval, which has two digits. The interval is left out if there is none, or if it is
 * below the last shown digit.
 */
export function estimate(mean: number, half: number | null): string {
  if (half === null || !Number.isFinite(mean) || !(half > 0)) return significant(mean);
  const wanted = 1 - placeOf(Number(half.toPrecision(2)));
  const most = mean === 0 ? wanted : MOST_DIGITS - 1 - placeOf(mean);
  const decimals = Math.min(wanted, Math.max(0, most));
  const shown = withDecimals(half, decimals);
  if (!/[1-9]/.test(shown)) return significant(mean);
  return `${withDecimals(mean, decimals)} ± ${shown}`;
}
