/** Why something happened. */
import type { Feature } from '../feature';
import { askAgain } from './ask';

export const explain: Feature = {
  id: 'explain',
  keys: [
    {
      group: 'Asking',
      label: 'W',
      does: 'why the last announced event happened, else about the selected thread; again: the next candidate',
      on: ['w'],
      act: askAgain,
    },
  ],
};
