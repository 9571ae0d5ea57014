/** What the search looks through. */
import { coreWords } from '../../lib/language';
import type { Kept } from '../../storage/kept-store';
import { keptLink, shippedLink } from '../../link/link';
import type { Catalog } from '../../sim/types/Catalog';
import type { LessonEntry } from '../../sim/types/LessonEntry';
import type { Scenario } from '../../sim/types/Scenario';
import { titleOf } from '../../state/kept/kept.svelte';
import { PAGES } from '../replications/experiments';
import { machineOf, questionOf, schedulersOf } from '../start/plans';
import { type Entry, TERM } from './find';
import { TERMS } from './terms';

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

/** Everything that can be opened: lessons, scenarios, replications, own work, terms. */
export function entriesOf(
  catalog: Catalog,
  kept: readonly Kept[],
  all: readonly LessonEntry[],
): readonly Entry[] {
  const lessons = all.map(({ minutes, number, situation, title }): Entry => ({
    kind: 'Lesson',
    title,
    detail: `${String(minutes)} min`,
    words: `lesson ${String(number)} ${situation}`,
    fragment: `l${String(number)}.1`,
  }));
  const scenarios = catalog.scenarios.map(({ id, scenario }): Entry => {
    const machine = machineOf(scenario, catalog);
    return {
      kind: 'Scenario',
      title: questionOf(scenario),
      detail: schedulersOf(scenario, catalog),
      words: [
        coreWords(scenario.name),
        coreWords(scenario.notes),
        machine,
        erasOf(scenario, catalog),
      ].join(' '),
      fragment: shippedLink(id),
    };
  });
  const replications = PAGES.map(({ id, title, source, machine, era, workload }): Entry => ({
    kind: 'Replication',
    title,
    detail: era,
    words: [source, machine, workload].join(' '),
    fragment: `r=${id}`,
  }));
  const works = kept.map((work): Entry => ({
    kind: 'Your work',
    title: titleOf(work),
    detail: '',
    words: [work.name, work.origin, ...work.differs].join(' '),
    fragment: keptLink(work),
  }));
  const terms = TERMS.map(({ word, meaning, seenIn }): Entry => ({
    kind: TERM,
    title: `${word}: ${meaning}`,
    detail: 'see it run',
    words: '',
    fragment: shippedLink(seenIn),
  }));
  return [...lessons, ...scenarios, ...replications, ...works, ...terms];
}
