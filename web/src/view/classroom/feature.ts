/** Presenting to a class. */
import type { Feature } from '../feature';
import { faster } from '../shell/key-table';

export const classroom: Feature = {
  id: 'classroom',
  keys: [
    {
      group: 'Page',
      label: 'P',
      does: 'present, or end presenting',
      on: ['p'],
      act: ({ prefs }) => {
        prefs.present(!prefs.isPresenting);
      },
    },
    {
      group: 'While presenting',
      label: '← →, Page Up, Page Down',
      does: 'step back and on',
      on: ['ArrowLeft', 'PageUp', 'ArrowRight', 'PageDown'],
      isPresenting: true,
      act: (lab, _, key) => {
        lab.steps.step(key === 'ArrowLeft' || key === 'PageUp');
      },
    },
    {
      group: 'While presenting',
      label: 'B',
      does: 'black screen, and back',
      on: ['b'],
      isPresenting: true,
      act: ({ prefs }) => {
        prefs.isBlank = !prefs.isBlank;
      },
    },
    {
      group: 'While presenting',
      label: '↑ ↓',
      does: 'faster, slower',
      on: ['ArrowUp', 'ArrowDown'],
      isPresenting: true,
      act: (lab, _, key) => {
        faster(lab, key === 'ArrowUp' ? 2 : 0.5);
      },
    },
  ],
};
