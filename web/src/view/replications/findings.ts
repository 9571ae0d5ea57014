/** What the search finds of published experiments. */
import type { Findings } from '../feature';
import { PAGES } from './experiments';

export const findings: Findings = {
  entries: () =>
    PAGES.map(({ id, title, source, machine, era, workload }) => ({
      kind: 'Replication',
      title,
      detail: era,
      words: [source, machine, workload].join(' '),
      fragment: `r=${id}`,
    })),
  terms: [
    {
      word: 'replication',
      meaning: 'a published experiment, run and judged here',
      seenIn: 's4-dhrystone',
    },
  ],
};
