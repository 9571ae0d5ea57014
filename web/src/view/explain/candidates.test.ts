/** The rows of a card's candidates. */
import { expect, it } from 'vitest';
import type { CandidateView } from '../../sim/types/CandidateView';
import type { LaneState } from '../../state/lane.svelte';
import { rowsOf } from './candidates';

const cpu = (n: number, score: number, more: Partial<CandidateView> = {}): CandidateView => ({
  ...{ cpu: n, task: null, name: null, score, note: 'load', chosen: false },
  ...more,
});

/** At 5 ns, threads 4 and 8 are on CPU 0, and 8 waits there; 9 is a daemon on CPU 3. */
const lane = {
  isBackground: (task: number) => task === 9,
  calm: {
    nowNs: 5,
    cpu: () => Int32Array.of(4, -1, -1, 9),
    waiters: () => ({ length: 1, queue: () => 0, task: () => 8 }),
  },
} as unknown as LaneState;

const shown = (...of: Parameters<typeof rowsOf>) =>
  rowsOf(...of).map(({ name, tasks }) => [name, ...tasks]);

it('CPUs that are alike are one row, and those with threads draw them', () => {
  const all = [cpu(0, 2), cpu(1, 0), cpu(2, 0), cpu(3, 0)];
  expect(shown(all, lane, 5, false)).toEqual([['cpu 0', 4, 8], ['cpu 1-3']]);
  // Later the picture is of another moment.
  expect(shown(all, lane, 6, false)).toEqual([['cpu 0'], ['cpu 1-3']]);
  // A mark goes from candidate to candidate.
  expect(shown(all, lane, 5, true)).toHaveLength(4);
});

it('the chosen one, another score and another reason have rows of their own', () => {
  const all = [
    cpu(0, 0, { chosen: true }),
    cpu(1, 0),
    cpu(2, 1),
    cpu(3, 0, { note: 'busy' }),
    cpu(4, 0, { task: 7, name: 'job-8' }),
  ];
  expect(shown(all, lane, 0, false)).toEqual([
    ['cpu 0'],
    ['cpu 1'],
    ['cpu 2'],
    ['cpu 3'],
    ['cpu 4, job-8', 7],
  ]);
});
