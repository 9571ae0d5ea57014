/** What the search finds of kept work. */
import { keptLink } from '../../link/link';
import { titleOf } from '../../state/kept/kept.svelte';
import type { Findings } from '../feature';

export const findings: Findings = {
  entries: ({ kept }) =>
    kept.map((work) => ({
      kind: 'Your work',
      title: titleOf(work),
      detail: '',
      words: [work.name, work.origin, ...work.differs].join(' '),
      fragment: keptLink(work),
    })),
};
