/** A lane twice: what a change does from now on. */
import type { Feature } from '../feature';

export const fork: Feature = {
  id: 'fork',
  keys: [
    {
      group: 'Time',
      label: 'F',
      does: 'fork: copy the lane, change the copy',
      on: ['f'],
      act: (lab) => {
        if (!lab.fork.canMake) return false;
        void lab.fork.make();
        return true;
      },
    },
    {
      group: 'Time',
      label: 'D',
      does: 'to where the fork first differs',
      on: ['d'],
      act: ({ playback, run }) => {
        if (run.differNs === null) return false;
        void playback.seek(run.differNs);
        return true;
      },
    },
  ],
};
