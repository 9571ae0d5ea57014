/** What the search finds of scenarios. */
import { coreWords } from '../../lib/language';
import { shippedLink } from '../../link/link';
import type { Catalog } from '../../sim/types/Catalog';
import type { Scenario } from '../../sim/types/Scenario';
import type { Findings } from '../feature';
import { machineOf, questionOf, schedulersOf } from './plans';

/** Names of the releases of its schedulers. */
function erasOf({ schedulers }: Scenario, catalog: Catalog): string {
  return schedulers
    .map(({ id, era }) => {
      const entry = catalog.schedulers.find((s) => s.id === id);
      const found = entry?.eras.find((e) => e.id === era) ?? entry?.eras[0];
      return `${id} ${found?.name ?? ''} ${String(found?.year ?? '')}`;
    })
    .join(' ');
}

export const findings: Findings = {
  entries: ({ catalog }) =>
    catalog.scenarios.map(({ id, scenario }) => ({
      kind: 'Scenario',
      title: questionOf(scenario),
      detail: schedulersOf(scenario, catalog),
      words: [
        coreWords(scenario.name),
        coreWords(scenario.notes),
        machineOf(scenario, catalog),
        erasOf(scenario, catalog),
      ].join(' '),
      fragment: shippedLink(id),
    })),
};
