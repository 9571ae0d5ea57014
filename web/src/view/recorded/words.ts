/** What is said of a recording: how far the model's lane may be believed, and how many choices the rules make, too. */
import { count, duration, NOTHING, percentFine } from '../../lib/format';
import type {
  Asked,
  Compared,
  Disagreement,
  Estimate,
  Lengths,
  Verdict,
} from '../../sim/trace-file/protocol';

const PARTS = {
  cpu: 'CPU time',
  delays: 'waits',
  switches: 'switches',
  moves: 'moves',
} as const;

/** The verdict of trust in one line. */
export function sayVerdict(verdict: Verdict): string {
  const { trust } = verdict;
  if (trust === 'close')
    return 'The model is close: CPU time, waits, switches and moves are as recorded.';
  const parts = Object.entries(PARTS)
    .filter(([part]) => verdict[part as keyof typeof PARTS] === trust)
    .map(([, what]) => what);
  const which = parts.join(', ');
  return trust === 'rough'
    ? `The model is rough. Believe only large differences: ${which} differ.`
    : `The model is not comparable with the recording: ${which} differ too much.`;
}

/** Right ones of all choices of one kind. */
const ofAll = ({ picks, goesOn, preempts }: Asked) => {
  const all = [picks, goesOn, preempts];
  const sum = (part: 'right' | 'near' | 'wrong') => all.reduce((n, c) => n + c[part], 0);
  return { right: sum('right'), near: sum('near'), wrong: sum('wrong') };
};

/** How many choices are those of the rules. */
export function sayAsked(asked: Asked): string {
  const { right, near, wrong } = ofAll(asked);
  return `${count(right)} of ${count(right + near + wrong)} choices as EEVDF 6.18 would have chosen.`;
}

/** What the kernel did and what the rules say. */
export function sayDisagreement({ about, took, rules, near }: Disagreement): readonly string[] {
  const real =
    about === 'pick'
      ? `The kernel took ${took}.`
      : about === 'goesOn'
        ? `The kernel let ${took} go on at a tick.`
        : `A thread woke, and the kernel went on with ${took}.`;
  const own = `EEVDF 6.18 would take ${rules}.`;
  return near
    ? [real, own, 'It is too close to call: the trace does not resolve it.']
    : [real, own];
}

/** A share with its interval. */
export function sayShare(share: Estimate | null): string {
  if (!share) return NOTHING;
  const half = share.half ?? 0;
  return half > 0 ? `${percentFine(share.mean)} ± ${percentFine(half)}` : percentFine(share.mean);
}

/** Whether a share is the model's. */
export function sayDifference(
  { here, model }: Compared['rows'][number]['share'],
  near: number,
): string {
  if (!here || !model) return NOTHING;
  const off = here.mean - model.mean;
  if (Math.abs(off) <= near) return 'as the model';
  return off > 0 ? `${percentFine(off)} more` : `${percentFine(-off)} less`;
}

/** The usual length of turns or waits. */
export const sayLength = ({ median }: Lengths): string =>
  median ? duration(median.mean) : NOTHING;
