/** An expression, of the reader or of the scenario, as the answer line. Pure functions. */
import { clock } from '../../lib/format';
import type { OwnMistake } from '../../sim/types/OwnMistake';
import type { OwnValue } from '../../sim/types/OwnValue';
import { type Amount, amount, percentOf, ratioOf, timeOf, UNKNOWN } from '../../lib/amount';
import { type AnswerLine, sayFair, worstOf } from './line';
import type { Asking } from './rule';

/** What the line needs of the measure. */
export interface OwnValues {
  readonly mistake: OwnMistake | null;
  readonly problem: string;
  readonly isByLane: boolean;
  readonly atNs: number | null;
  valueOf(lane: number): OwnValue | null;
}

/** Longest text that is drawn large; the panel has all of it. */
const LONGEST = 12;

/** A value in large type: the unit stands apart. */
export function amountOf(value: OwnValue | null): Amount {
  if (!value) return UNKNOWN;
  const [, number = value.text, unit = ''] = /^(\S+) (s|ms|µs|ns|%)$/.exec(value.text) ?? [];
  return number.length > LONGEST ? amount(`${number.slice(0, LONGEST)}…`) : amount(number, unit);
}

/** The difference of two numbers of one unit; null if there is none to show. */
function differenceOf(a: OwnValue | null, b: OwnValue | null): Amount | null {
  if (a?.number == null || b?.number == null || a.unit !== b.unit) return null;
  const by = a.number - b.number;
  if (by === 0) return amount('no', 'difference');
  const shown =
    a.unit === 'ns'
      ? timeOf(by)
      : a.unit === 'share'
        ? amount(percentOf(by).number, 'points')
        : amount(ratioOf(by).number);
  return by > 0 ? { ...shown, number: `+${shown.number}` } : shown;
}

/** What is wrong, with its place; empty if nothing is. */
export function sayMistake({ mistake, problem }: Pick<OwnValues, 'mistake' | 'problem'>): string {
  if (mistake) return `Column ${String(mistake.column)}: ${mistake.message}.`;
  return problem;
}

/** A number in the unit of a value. */
function inUnitOf({ unit }: OwnValue, number: number): Amount {
  return unit === 'ns' ? timeOf(number) : unit === 'share' ? percentOf(number) : ratioOf(number);
}

/** What the scenario says of its answer. */
type Fair = Pick<Asking, 'better' | 'fair'>;

/** The line with the values of an expression in place of those of its measure; `asking` where the scenario gives it. */
export function ownLine(line: AnswerLine, own: OwnValues, asking: Fair | null = null): AnswerLine {
  const values = line.lanes.map((_, lane) => own.valueOf(lane));
  const wrong = sayMistake(own);
  const until = own.atNs === null ? '' : `Up to ${clock(own.atNs)}.`;
  const [first] = values;
  const fair = first && asking?.fair != null ? sayFair(inUnitOf(first, asking.fair)) : '';
  const numbers = values.map((value) => value?.number ?? Number.NaN);
  const worst =
    own.isByLane && asking ? worstOf(asking.better, numbers, first?.unit === 'share') : null;
  // Equal numbers have equal colours.
  const bad = worst === null ? null : amountOf(values[numbers.indexOf(worst)] ?? null);
  return {
    ...line,
    lanes: values.map(amountOf).map((shown) => ({
      amount: shown,
      about: own.isByLane ? '' : 'of all lanes',
      isWorst: shown.number === bad?.number && shown.unit === bad.unit,
    })),
    difference:
      values.length === 2 && own.isByLane
        ? differenceOf(values[0] ?? null, values[1] ?? null)
        : null,
    fair: wrong !== '' ? wrong : asking ? fair : until,
    isWrong: wrong !== '',
  };
}
