/** Values to propose for a sweep: round ones, and always the present one. Pure functions. */

/**
 * How values of a kind are round. `steps`: equal steps of 1, 2 or 5 times a power of ten. `factors`: 1, 2, 5, 10, 20
 * and so on. `powers`: powers of two.
 */
export type Roundness = 'steps' | 'factors' | 'powers';

/** The values of a varied property. */
export interface Ranged {
  readonly min: number;
  readonly max: number;
  /** The present value. */
  readonly now: number;
  readonly roundness: Roundness;
}

/** For ranges of less than this factor, equal steps give more values that are as round. */
const FEW_FACTORS = 20;

/** 1, 2 or 5 times a power of ten, by index: 0 is 1, 1 is 2, 2 is 5, 3 is 10. */
const step = (i: number) => ([1, 2, 5][i % 3] ?? 1) * 10 ** Math.floor(i / 3);

/** The largest member of 1, 2, 5, 10 and so on that is not above a value, or the smallest that is not below it. */
function decimal(value: number, isUp: boolean): number {
  let i = 0;
  while (step(i + 1) <= value) i += 1;
  return isUp && step(i) < value ? step(i + 1) : step(i);
}

const power = (value: number, isUp: boolean) =>
  2 ** (isUp ? Math.ceil : Math.floor)(Math.log2(Math.max(1, value)));

/** All round values between two ends, at a level of coarseness from 0. */
function at(level: number, from: number, to: number, roundness: Roundness): number[] {
  const found: number[] = [];
  if (roundness === 'steps') {
    const by = step(level);
    for (let v = Math.ceil(from / by) * by; v <= to; v += by) found.push(v === 0 ? 0 : v);
    return found;
  }
  // By factors: all of 1, 2 and 5, then every power of ten, then every second and every third.
  const every = level === 0 ? 1 : 3 * level;
  for (let i = 0; ; i++) {
    const v = roundness === 'powers' ? 2 ** (i * (level + 1)) : step(i * every);
    if (v > to) return found;
    if (v >= from) found.push(v);
  }
}

/** At most `n` round values between two ends, both ends included; the present value is among them if it lies between. */
export function roundBetween(from: number, to: number, n: number, of: Ranged): number[] {
  const [low, high] = from <= to ? [from, to] : [to, from];
  const fixed = [low, high, ...(of.now > low && of.now < high ? [of.now] : [])];
  const isNear = of.roundness === 'factors' && high < FEW_FACTORS * Math.max(low, 1);
  const roundness = isNear ? 'steps' : of.roundness;
  let level = 0;
  // Starts at a coarser level, so that no list of far too many values is made.
  if (roundness === 'steps') while ((high - low) / step(level) > n) level += 1;
  for (; ; level++) {
    const values = new Set([...fixed, ...at(level, low, high, roundness)]);
    const isCoarsest = at(level, low, high, roundness).length <= 1;
    if (values.size <= n || isCoarsest) {
      const all = values.size <= n ? [...values] : [...new Set(fixed)];
      return all.sort((a, b) => a - b);
    }
  }
}

/** Ends to propose: the whole range if it is small, else round ones on both sides of the present value. */
export function proposedEnds({ min, max, now, roundness }: Ranged): [from: number, to: number] {
  const SMALL = 40;
  if (roundness === 'steps' && max - min <= SMALL) return [min, max];
  const ends = (from: number, to: number): [number, number] => [
    Math.min(now, Math.max(min, from)),
    Math.max(now, Math.min(max, to)),
  ];
  const up = roundness === 'powers' ? power : decimal;
  if (roundness === 'steps') {
    const from =
      min >= -1 && min <= 1 ? min : now < 0 ? -decimal(-2 * now, true) : Math.max(min, 0);
    const far = 2 * now <= from + 7 ? from + 7 : decimal(2 * now, true);
    return ends(from > 1 ? decimal(from, true) : from, far <= max ? far : decimal(max, false));
  }
  const [below, above] = roundness === 'powers' ? [8, 8] : [10, 10];
  const middle = Math.max(now, 1);
  const low = Math.max(up(Math.max(1, middle / below), true), min > 1 ? up(min, true) : 1);
  return ends(now < 1 ? now : low, Math.min(up(middle * above, false), up(max, false)));
}
