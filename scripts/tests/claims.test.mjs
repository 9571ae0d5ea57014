import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimHash } from '../lib/claims-code.mjs';
import { compare, lock, markdown } from '../lib/claims-text.mjs';

const measure = {
  name: 'ratio',
  value: 1.23456,
  half: 0.5,
  published: null,
  text: '1 ± 1',
  verdict: 'holds',
};
const claim = (id, changes = {}) => ({
  id,
  statement: 'S.',
  source: 'A source',
  acceptance: 'ratio: 1 ± 1',
  verdict: 'holds',
  measures: [measure],
  bounds: [{ reason: 'Because.' }],
  found: 'Ratio is 1.',
  note: '',
  ...changes,
});

test('two lists of claims differ in new, missing, and differently judged or valued claims', () => {
  const before = [claim('A'), claim('B'), claim('C'), claim('D')];
  assert.deepEqual(compare(before, before), []);
  const now = [
    claim('A', { verdict: 'fails', found: 'Ratio is 9.' }),
    claim('B', { measures: [{ ...measure, value: 1.3 }] }),
    claim('C', { found: 'Other words.' }),
    claim('E'),
  ];
  assert.deepEqual(compare(before, now), [
    'A: holds before, fails now. Ratio is 9.',
    'B: differs in ratio',
    'C: differs in its words',
    'E: is new',
    'D: is no more',
  ]);
});

test('the page has a row for each claim and a section with its values', () => {
  const numbers = [
    { source: 'S1', relativeError: 0.1 },
    { source: 'S1', relativeError: null },
  ];
  const now = { seeds: 5, seconds: 60, claims: [claim('A')], numbers, meanErrors: { S1: 0.1 } };
  const page = markdown(now);
  assert.match(page, /\| A \| holds \| S\. \| ratio: 1 ± 1 \|/);
  assert.match(page, /\| ratio \| 1\.235 ± 0\.5 \| – \| 1 ± 1 \| holds \|/);
  assert.match(page, /\| S1 \| 1 \| 10\.0 % \|/);
  assert.match(page, /Why these bounds: Because\./);
});

test('the hash of a claim depends on its runs and its schedulers', () => {
  const inputs = { id: 'A', hash: '0', schedulers: ['ule'] };
  const hash = claimHash(inputs);
  assert.equal(claimHash({ ...inputs }), hash);
  assert.notEqual(claimHash({ ...inputs, hash: '1' }), hash);
  assert.notEqual(claimHash({ ...inputs, schedulers: ['ule', 'cfs'] }), hash);
  assert.throws(() => claimHash({ ...inputs, schedulers: ['gone'] }), /scheduler.*gone/);
  assert.equal(lock('x', { A: 'y' }), '{\n "everything": "x",\n "claims": {\n  "A": "y"\n }\n}\n');
});
