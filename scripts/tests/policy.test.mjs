import assert from 'node:assert/strict';
import { test } from 'node:test';
import satisfies from 'spdx-satisfies';
import { licenceProblems } from '../lib/npm-licences.mjs';

const allowed = { shipped: ['MIT'], tools: ['MIT', 'MPL-2.0'] };
const problems = (packages) => licenceProblems(packages, allowed, satisfies);

test('a licence may be right for a tool and wrong for what is shipped', () => {
  const entry = { license: 'MPL-2.0' };
  assert.deepEqual(problems({ 'node_modules/a': { ...entry, dev: true } }), []);
  assert.deepEqual(problems({ 'node_modules/a': entry }), [
    'a (shipped) has the licence MPL-2.0, which is not allowed for that',
  ]);
});

test('of several licences to choose from one must be allowed, of several at once all', () => {
  assert.deepEqual(problems({ 'node_modules/a': { license: '(GPL-3.0-or-later OR MIT)' } }), []);
  assert.equal(problems({ 'node_modules/a': { license: '(GPL-3.0-or-later AND MIT)' } }).length, 1);
});

test('no licence, and one that nobody knows, are not allowed', () => {
  assert.deepEqual(
    problems({
      '': {},
      'node_modules/a/node_modules/@b/c': {},
      'node_modules/d': { license: 'SEE FILE' },
    }),
    [
      '@b/c (shipped) names no licence',
      'd (shipped) has the licence SEE FILE, which is not allowed for that',
    ],
  );
});
