/** Names of queues are words of the core that its catalog does not list: each has to be in the list of the page. */
import { expect, it } from 'vitest';
import words from '../../i18n/core-words.json';
import { openLab } from './test-lab';

it.each(['4bsd', 'ule:11.1', 'cfs', 'eevdf', 'bfs'])(
  'the queues of %s have words',
  async (lane) => {
    const lab = await openLab(`v=2&x=s3-nice&s=${lane}`);
    const shape = lab.run.lanes[0]?.shape;
    if (!shape) throw new Error('no lane');
    const { beat, gauge, global, perCpu } = shape;
    const told = [...global, ...perCpu].map(({ label }) => label);
    if (gauge) told.push(gauge.label, gauge.below, gauge.above);
    if (beat) told.push(beat.label);
    expect(told.length).toBeGreaterThan(0);
    expect(told.filter((word) => !words.includes(word))).toEqual([]);
  },
);
