/** The answer line: a number for each lane, the difference, the fair value, and the price. */
import { count } from '../../lib/format';
import { type Amount, amount, percentOf, timeOf } from '../../lib/amount';
import type { MeasuredLane, Reading } from './measures';
import type { Asking } from './rule';
import { fairOf } from './shares';

/** The number of one lane. */
export interface LaneAnswer {
  readonly amount: Amount;
  readonly about: string;
  /** Whether it is the worst of several that differ. */
  readonly isWorst: boolean;
}

/** Everything that the line shows. */
export interface AnswerLine {
  readonly lanes: readonly LaneAnswer[];
  /** The first lane minus the second, where there are exactly two; null if there is no difference to show. */
  readonly difference: Amount | null;
  /**
   * Sentences about the fair value and about the time from which the number counts, or about the thread that was
   * changed; empty if there is nothing to say.
   */
  readonly fair: string;
  /** Whether it says what is wrong with a measure of the reader's own: then it is always shown. */
  readonly isWrong?: boolean;
  readonly price: readonly Amount[];
}

/** Numbers that differ by less than this part of the larger one are shown as equal. */
const EQUAL = 0.01;

/** The least part that is seen beside nothing. */
const SEEN = 0.001;

/** Whether two numbers are shown as equal: parts within one point, others within one percent. Nothing is not like something. */
export function areEqual(a: number, b: number, isPart: boolean): boolean {
  if ((a === 0 || b === 0) && Math.abs(a - b) >= SEEN) return false;
  return Math.abs(a - b) < EQUAL * (isPart ? 1 : Math.max(Math.abs(a), Math.abs(b))) || a === b;
}

const isPart = (asking: Asking) => asking.measure.show(1).unit === '%';

/** The worst of several numbers; null if one is not known, or they do not differ. */
export function worstOf(
  better: Asking['better'],
  values: readonly number[],
  isPart: boolean,
): number | null {
  if (better === 'none' || values.length < 2 || values.some((v) => !Number.isFinite(v)))
    return null;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (areEqual(low, high, isPart)) return null;
  return better === 'higher' ? low : high;
}

function differenceOf(asking: Asking, readings: readonly Reading[]): Amount | null {
  const [a, b] = readings;
  if (readings.length !== 2 || !a || !b) return null;
  if (!Number.isFinite(a.value) || !Number.isFinite(b.value)) return null;
  if (areEqual(a.value, b.value, isPart(asking))) return amount('no', 'difference');
  const by = a.value - b.value;
  const shown = asking.measure.differ(by, b.value);
  return by > 0 ? { ...shown, number: `+${shown.number}` } : shown;
}

/** A fair value that the scenario gives, in a sentence. */
export function sayFair({ number, unit }: Amount): string {
  return `Fair would be ${number}${unit === '' ? '' : ` ${unit}`}.`;
}

/** The fair value, in a sentence. */
function fairText(asking: Asking, lane: MeasuredLane | undefined): string {
  if (!lane) return '';
  if (asking.fair !== null) {
    if (asking.measure.id === 'throughput' && asking.fair !== 1)
      return `Fair: as much work as ${count(asking.fair)} free cores.`;
    return sayFair(asking.measure.show(asking.fair));
  }
  if (asking.measure.id === 'throughput') return '1 ×: as much work as one free core.';
  if (asking.measure.id !== 'leastShare') return '';
  const fair = fairOf(lane);
  if (!fair) return '';
  const { number } = percentOf(fair.share);
  const [cpus, threads] = [plural(fair.cpus, 'CPU'), plural(fair.threads, 'thread')];
  return `Fair would be ${cpus} / ${threads} = ${number} %.`;
}

/** The time from which the number counts, where that is not the start. */
function sinceText({ measure }: Asking, lane: MeasuredLane | undefined): string {
  if (!lane?.since || !measure.isSum) return '';
  const { number, unit } = timeOf(lane.since.atNs);
  return `Since the change at ${number} ${unit}.`;
}

function plural(n: number, word: string): string {
  return `${String(n)} ${word}${n === 1 ? '' : 's'}`;
}

/** What is said of the last exit before it comes: how many have ended. */
const isProgress = ({ measure }: Asking): boolean => measure.id === 'lastExit';

const notYet = (about: string): string => {
  // @wc-include
  const words = 'not yet';
  return about === '' ? words : `${about}: ${words}`;
};

/** Makes the line. */
export function answerLine(asking: Asking, lanes: readonly MeasuredLane[]): AnswerLine {
  const readings = lanes.map((lane) => asking.measure.read(lane, asking.of));
  const values = readings.map((r) => r.value);
  const worst = worstOf(asking.better, values, isPart(asking));
  // Equal numbers have equal colours.
  const bad = worst === null ? null : asking.measure.show(worst);
  const isBad = ({ number, unit }: Amount) => number === bad?.number && unit === bad.unit;
  return {
    lanes: readings.map(({ value, about }) => ({
      amount: asking.measure.show(value),
      about: Number.isFinite(value) || isProgress(asking) ? about : notYet(about),
      isWorst: isBad(asking.measure.show(value)),
    })),
    difference: differenceOf(asking, readings),
    fair: [fairText(asking, lanes[0]), sinceText(asking, lanes[0])].filter(Boolean).join(' '),
    price: lanes.map((lane) => asking.price.show(asking.price.read(lane, asking.of).value)),
  };
}
