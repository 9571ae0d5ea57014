/** What bars of shares say. */
import { percent } from '../../lib/format';
import type { ShareBand, ShareBars } from '../../state/answer/bars';
import type { LimitBar } from '../../state/answer/limit-bars';

/** Threads that have no bar of their own. */
export function bandWords({ threads, least, most }: ShareBand): string {
  const [from, to] = [percent(least), percent(most)];
  const parts = from === to ? to : `${from.replace(/ %$/, '')} to ${to}`;
  return `${String(threads)} more: ${parts}`;
}

/** A control group and its limit. */
const limitWords = ({ name, used, limit }: LimitBar): string =>
  `${name} ${percent(used)}, limit ${percent(limit)}`;

/** All bars of a lane, in their order. */
export function allWords(
  limited: readonly LimitBar[],
  { above, band, below }: ShareBars,
  nameOf: (task: number) => string,
): string {
  const bars = (list: ShareBars['above']) =>
    list.map(({ task, share }) => `${nameOf(task)} ${percent(share)}`);
  return [
    ...limited.map(limitWords),
    ...bars(above),
    ...(band ? [bandWords(band)] : []),
    ...bars(below),
  ].join('; ');
}
