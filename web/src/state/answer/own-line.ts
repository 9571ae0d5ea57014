/** The reader's own measure as the answer line. Pure functions. */
import { clock } from '../../lib/format';
import type { OwnMistake } from '../../sim/types/OwnMistake';
import type { OwnValue } from '../../sim/types/OwnValue';
import { type Amount, amount, percentOf, ratioOf, timeOf, UNKNOWN } from '../../lib/amount';
import type { AnswerLine } from './line';

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

/** The line with the values of the measure in place of its own. */
export function ownLine(line: AnswerLine, own: OwnValues): AnswerLine {
  const values = line.lanes.map((_, lane) => own.valueOf(lane));
  const wrong = sayMistake(own);
  const until = own.atNs === null ? '' : `Up to ${clock(own.atNs)}.`;
  return {
    ...line,
    lanes: values.map((value) => ({
      amount: amountOf(value),
      about: own.isByLane ? '' : 'of all lanes',
      isWorst: false,
    })),
    difference:
      values.length === 2 && own.isByLane
        ? differenceOf(values[0] ?? null, values[1] ?? null)
        : null,
    fair: wrong === '' ? until : wrong,
    isWrong: wrong !== '',
  };
}
