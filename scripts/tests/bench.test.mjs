import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashNumbers } from '../lib/bench-wasm.mjs';
import { countOption } from '../lib/options.mjs';

test('numbers are hashed as the core hashes them', () => {
  // By hand from the rule in ground/src/hash.rs: xor, multiply, shift.
  const word = (hash, bits) => {
    const h = ((hash ^ bits) * 0x100000001b3n) % 2n ** 64n;
    return h ^ (h >> 29n);
  };
  const start = 0xcbf29ce484222325n;
  assert.equal(hashNumbers([]), start);
  assert.equal(hashNumbers([1]), word(start, 0x3ff0000000000000n));
  assert.equal(hashNumbers(Float64Array.of(1, -0)), word(hashNumbers([1]), 2n ** 63n));
  assert.equal(hashNumbers([NaN]), word(start, 2n ** 64n - 1n));
  assert.equal(hashNumbers([2], hashNumbers([1])), hashNumbers([1, 2]));
});

test('a number of runs is a whole number from 1', () => {
  assert.equal(countOption([], '--runs', 3), 3);
  assert.equal(countOption(['--runs', '9'], '--runs', 3), 9);
  for (const wrong of ['0', '-1', '1.5', 'x'])
    assert.throws(() => countOption(['--runs', wrong], '--runs', 3), /whole number from 1/);
});
