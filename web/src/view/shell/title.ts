/** What the window is called: the place first, for tabs and lists of windows cut the end off. */
import type { Lab } from '../../state/lab.svelte';

/** The parts of the page that say where one is. */
export type TitledPage = Pick<Lab, 'editing' | 'lessons' | 'places'>;

function placesOf({ editing, lessons, places }: TitledPage): readonly string[] {
  if (places.isStart) return ['Start'];
  if (places.route) return places.heading === '' ? ['Replications'] : [places.heading];
  const lesson = lessons.open;
  if (!lesson) return [editing.runName];
  const { entry, name, step, steps } = lesson;
  return [
    `Step ${String(step)} of ${String(steps)}: ${name}`,
    `Lesson ${String(entry.number)} · ${entry.title}`,
  ];
}

/** The title of the document. */
export function titleOfPage(page: TitledPage): string {
  return [...placesOf(page), 'Timeslice'].filter(Boolean).join(' · ');
}
