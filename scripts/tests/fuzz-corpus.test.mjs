import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOf, inputOf } from '../lib/fuzz-corpus.mjs';

test('an input of any bytes is one line of printable characters, and comes back', () => {
  const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const line = lineOf(every);
  assert.match(line, /^[\x20-\x7e\xa1-\xff]*$/);
  assert.deepEqual(inputOf(line), every);
});
