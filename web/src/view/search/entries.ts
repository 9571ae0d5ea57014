/** What the search looks through: all that features can open, then the terms. */
import { shippedLink } from '../../link/link';
import type { Findings, Searched } from '../feature';
import { FEATURES } from '../features';
import { type Entry, TERM } from './find';
import { type Term, TERMS } from './terms';

/** What the features bring. */
export const allFindings = async (): Promise<readonly Findings[]> =>
  Promise.all(
    FEATURES.flatMap(({ search }) => (search ? [search().then((part) => part.findings)] : [])),
  );

/** All terms. */
export const termsOf = (all: readonly Findings[]): readonly Term[] => [
  ...TERMS,
  ...all.flatMap(({ terms }) => terms ?? []),
];

/** Everything that can be opened. */
export const entriesOf = (all: readonly Findings[], searched: Searched): readonly Entry[] => [
  ...all.flatMap(({ entries }) => entries?.(searched) ?? []),
  ...termsOf(all).map(({ word, meaning, seenIn }) => ({
    kind: TERM,
    title: `${word}: ${meaning}`,
    detail: 'see it run',
    words: '',
    fragment: shippedLink(seenIn),
  })),
];
