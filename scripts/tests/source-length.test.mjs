import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lengthProblem } from '../lib/source-length.mjs';

const lines =
  (count, first = '//') =>
  () =>
    [first, ...Array(count - 1).fill('x')].join('\n');

test('a long file is warned about, then refused', () => {
  assert.equal(lengthProblem('sim-core/src/a.rs', lines(400)), undefined);
  assert.equal(lengthProblem('sim-core/src/a.rs', lines(401)).fatal, false);
  assert.equal(lengthProblem('sim-core/src/a.rs', lines(600)).fatal, false);
  assert.equal(lengthProblem('sim-core/src/a.rs', lines(601)).fatal, true);
});

test('a reason near the top excuses a source file, not a component', () => {
  const excused = lines(700, '//! one subject: a table of the kernel');
  assert.equal(lengthProblem('sim-core/src/a.rs', excused).fatal, false);
  assert.equal(lengthProblem('sim-core/src/a.rs', lines(700, '//! one subject:')).fatal, true);
  assert.equal(lengthProblem('web/src/A.svelte', excused).fatal, true);
});

test('a component is refused earlier', () => {
  assert.equal(lengthProblem('web/src/A.svelte', lines(351)).fatal, true);
  assert.equal(lengthProblem('web/src/a.ts', lines(351)), undefined);
});

test('tests and data may be long', () => {
  const unread = () => assert.fail('read');
  assert.equal(lengthProblem('web/src/a.test.ts', unread), undefined);
  assert.equal(lengthProblem('web/src/locales/.wuchale/page.proxy.js', unread), undefined);
  assert.equal(lengthProblem('sim-core/tests/it/a.rs', unread), undefined);
  assert.equal(lengthProblem('sim-core/data.json', unread), undefined);
});
