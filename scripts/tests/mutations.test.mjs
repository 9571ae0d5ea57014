import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mutations } from '../lib/mutation-list.mjs';
import { inRoot } from '../lib/paths.mjs';
import { mutated } from '../mutations.mjs';
import { steps } from '../steps.mjs';

test('every mutation changes one place of its file, and names a step', () => {
  assert.ok(mutations.length >= 30);
  assert.equal(new Set(mutations.map(({ guard }) => guard)).size, mutations.length);
  for (const mutation of mutations) {
    const before = readFileSync(inRoot(mutation.file), 'utf8');
    assert.notEqual(mutated(before, mutation), before, mutation.guard);
    assert.ok(
      steps.some(({ name }) => name === mutation.step),
      mutation.step,
    );
  }
});

test('a mutation whose text is not there, or more than once, is refused', () => {
  const one = { file: 'a', from: 'x', to: 'y' };
  assert.throws(() => mutated('abc', one), /0 times/);
  assert.throws(() => mutated('xax', one), /2 times/);
});
