/** What the search finds of lessons. */
import type { Findings } from '../feature';

export const findings: Findings = {
  entries: ({ lessons }) =>
    lessons.map(({ minutes, number, situation, title }) => ({
      kind: 'Lesson',
      title,
      detail: `${String(minutes)} min`,
      words: `lesson ${String(number)} ${situation}`,
      fragment: `l${String(number)}.1`,
    })),
};
