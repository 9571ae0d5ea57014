import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareDigests } from '../lib/compare-digests.mjs';

const row = (scenario, digest, lane = 0) => ({ scenario, lane, scheduler: 'bfs', digest });

test('equal rows agree', () => {
  const rows = [row('a', '1'), row('a', '2', 1)];
  const { same, problems } = compareDigests(rows, structuredClone(rows), ['a']);
  assert.equal(same.length, 2);
  assert.deepEqual(problems, []);
});

test('a different digest is a problem', () => {
  assert.deepEqual(compareDigests([row('a', '1')], [row('a', '2')], ['a']).problems, [
    'a #0 bfs: native 1, WebAssembly 2',
  ]);
});

test('a row that is missing on either side is a problem', () => {
  assert.equal(compareDigests([row('a', '1')], [], ['a']).problems.length, 1);
  assert.equal(compareDigests([], [row('a', '1')], []).problems.length, 1);
});

test('an empty digest proves nothing', () => {
  assert.equal(compareDigests([row('a', '')], [row('a', '')], ['a']).problems.length, 1);
});

test('a shipped scenario without a digest is a problem', () => {
  assert.deepEqual(compareDigests([row('a', '1')], [row('a', '1')], ['a', 'b']).problems, [
    'b: shipped, but has no digest',
  ]);
});
