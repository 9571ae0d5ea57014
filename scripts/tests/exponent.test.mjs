import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exponent } from '../lib/exponent.mjs';

test('the exponent of a power law', () => {
  const points = [8, 16, 64, 192].map((x) => [x, 3 * x ** 1.5]);
  assert.ok(Math.abs(exponent(points) - 1.5) < 1e-9);
  assert.ok(Math.abs(exponent(points.map(([x]) => [x, 7]))) < 1e-9);
});
