import assert from 'node:assert/strict';
import { test } from 'node:test';
import satisfies from 'spdx-satisfies';
import { licenceProblems } from '../lib/npm-licences.mjs';

const allowed = { shipped: ['MIT'], tools: ['MIT', 'MPL-2.0'] };
const problems = (packages) => licenceProblems(packages, allowed, satisfies);

test('a licence may be allowed for a tool and not for a shipped package', () => {
  const entry = { license: 'MPL-2.0' };
  assert.deepEqual(problems({ 'node_modules/a': { ...entry, dev: true } }), []);
  assert.deepEqual(problems({ 'node_modules/a': entry }), [
    'a (shipped) has the licence MPL-2.0, which is not allowed for that',
  ]);
});

test('of alternative licences one must be allowed, of joint licences all', () => {
  assert.deepEqual(problems({ 'node_modules/a': { license: '(GPL-3.0-or-later OR MIT)' } }), []);
  assert.equal(problems({ 'node_modules/a': { license: '(GPL-3.0-or-later AND MIT)' } }).length, 1);
});

test('a missing or unknown licence is not allowed', () => {
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
