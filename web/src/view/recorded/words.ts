/** What is said of a recording: how far the model's lane may be believed, and how many choices the rules make, too. */
import { figures } from '../../lib/figures';
import { count, duration, NOTHING, oneOrMany, percent, percentFine } from '../../lib/format';
import type {
  AboutMachine,
  Asked,
  Compared,
  ComparedThread,
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

/** Shares and their differences, as `timeslice compare` writes them. */
const SHARE = 4;

/** A number with its 95 % interval, where there are several repeats. */
export function sayInterval(
  e: Estimate | null | undefined,
  write: (value: number) => string,
): string {
  if (!e) return NOTHING;
  const half = e.half ?? null;
  return half === null ? write(e.mean) : `${write(e.mean)} ± ${write(half)}`;
}

/** A part of the CPU time of all threads, with its interval. */
export const sayShare = (share: Estimate | null): string =>
  sayInterval(share, (value) => figures(value, SHARE));

/** The share here less that of the model. */
export function sayDifference({ here, model }: ComparedThread['share']): string {
  if (!here || !model) return NOTHING;
  const off = here.mean - model.mean;
  return `${off < 0 ? '' : '+'}${figures(off, SHARE)}`;
}

/** The most frequent lengths, such as `12 ms 94 %, 16 ms 6 %`. */
export function sayTypical({ typical, count: n }: Lengths): string {
  if (n === 0) return 'none';
  if (typical.length === 0) return `${count(n)} of all lengths`;
  // Lines break between lengths, never within one.
  const said = typical.map(([ms, part]) => `${String(ms)} ms ${percent(part)}`);
  return said.map((one) => one.replaceAll(' ', '\u{a0}')).join(', ');
}

/** How late sleepers wake: a median in µs, with its interval. */
export const sayLate = ({ median }: Lengths): string =>
  sayInterval(median, (ns) => figures(ns / 1000, 0));

/** Moves a second, with their interval. */
export const sayMoves = (moves: Estimate | null): string =>
  sayInterval(moves, (value) => figures(value, 1));

/** How often the machine ran it. */
export function sayRepeats({ repeats, ns }: Compared): string {
  return repeats === 1
    ? `Once for ${duration(ns)}.`
    : `The first of ${count(repeats)} repeats of ${duration(ns)}.`;
}

/** How far the shares of all repeats are from the model. */
export function sayFarthest({ farthest }: Compared, near: number): string {
  const [most, bound] = [figures(farthest, SHARE), figures(near, 3)];
  return farthest <= near
    ? `Farthest share from the model: ${most}; no share differs by more than ${bound}.`
    : `Farthest share from the model: ${most}; which is more than ${bound}.`;
}

/** What others had of the CPUs, and what that does to the numbers. */
export function sayOthers({ foreign, stolen, isDisturbed }: Compared): string {
  const had = `had ${percentFine(foreign)} of the time of these CPUs (${percentFine(stolen)} the host)`;
  return isDisturbed
    ? `${had}: turns, waits and wake-ups are disturbed; shares are good`
    : `${had}: little enough for turns and waits`;
}

/** Release and processor of the machine. */
export function sayMachine({ release, processor, virtual, online }: AboutMachine): string {
  const what = processor ?? 'an unknown processor';
  const which = virtual ? `${what} (virtual)` : what;
  return `Linux ${release} on ${which}, ${oneOrMany(online, '1 CPU', `${String(online)} CPUs`)}`;
}

/** What the kernel said of its settings. */
export function saySettings({ hz, baseSliceNs, preemption, autogroup }: AboutMachine): string {
  const unknown = 'not readable';
  const slice = baseSliceNs == null ? unknown : duration(baseSliceNs);
  const groups = autogroup == null ? unknown : autogroup ? 'on' : 'off';
  return `HZ ${hz == null ? unknown : String(hz)} · base slice ${slice} · preemption ${preemption} · autogroup ${groups}`;
}
