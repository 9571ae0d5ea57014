import { expect, test } from 'vitest';
import { labelsOf } from './thread-labels';

const names = (groups: readonly [string, number][], background: readonly string[] = []) => ({
  tasks: groups.flatMap(([name, n]) =>
    Array.from({ length: n }, (_, i) => `${name}-${String(i + 1)}`),
  ),
  groups: groups.map(([name]) => ({ name, background: background.includes(name) })),
  taskGroup: groups.flatMap(([, n], g) => Array<number>(n).fill(g)),
});

test.each([
  [
    'two groups whose names begin alike',
    names([
      ['firefox1', 1],
      ['firefox2', 2],
    ]),
    ['a1', 'b1', 'b2'],
  ],
  ['one group', names([['job', 3]]), ['1', '2', '3']],
  [
    'two groups with the same numbers',
    names([
      ['first', 1],
      ['second', 1],
    ]),
    ['f1', 's1'],
  ],
  [
    'two groups with the same first letter',
    names([
      ['hog', 1],
      ['half', 2],
    ]),
    ['ho1', 'ha1', 'ha2'],
  ],
  [
    'a daemon’s number counts for nobody',
    names(
      [
        ['job', 2],
        ['daemon', 1],
      ],
      ['daemon'],
    ),
    ['1', '2', '1'],
  ],
  ['a thread without a number', { ...names([['job', 1]]), tasks: ['parent'] }, ['par']],
])('%s', (_, lane, labels) => {
  expect(labelsOf(lane)).toEqual(labels);
});
