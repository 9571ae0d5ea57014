/** Lessons beside the laboratory. */
import type { Feature } from '../feature';
import { LESSON_KEYS } from './keys';

export const lesson: Feature = {
  id: 'lesson',
  keys: LESSON_KEYS,
  search: () => import('./findings'),
};
