import assert from 'node:assert/strict';
import { test } from 'node:test';
import { misprint, misprintedMean, readCsv, readNumber } from '../lib/printed-numbers.mjs';

test('texts of the page are numbers', () => {
  assert.deepEqual(readNumber('−20\u202f000'), { value: -20_000, decimals: 0 });
  assert.deepEqual(readNumber('0.0181'), { value: 0.0181, decimals: 4 });
  assert.deepEqual(readNumber('5.0e-9'), { value: 5e-9, decimals: 10 });
  assert.equal(readNumber('–'), null);
});

test('a rounded number counts as that number, one with a wrong digit does not', () => {
  assert.equal(misprint('0.996', 0.99649), '');
  assert.equal(misprint('0.996', 0.99551), '');
  assert.notEqual(misprint('0.996', 0.9966), '');
  assert.notEqual(misprint('0.997', 0.99649), '');
  assert.equal(misprint('1000', 999.6), '');
});

test('too few digits are refused, and a missing number is a dash', () => {
  assert.notEqual(misprint('0.02', 0.0181), '');
  assert.equal(misprint('0', 0), '');
  assert.equal(misprint('–', null), '');
  assert.notEqual(misprint('–', 1), '');
  assert.notEqual(misprint('0', null), '');
});

test('a mean has its interval', () => {
  assert.equal(misprintedMean('0.996 ± 0.012', 0.99612, 0.0123), '');
  assert.equal(misprintedMean('−3.0 ± 1.0', -2.98, 0.96), '');
  assert.notEqual(misprintedMean('0.996 ± 0.013', 0.99612, 0.0123), '');
  assert.equal(misprintedMean('1.50', 1.5, null), '');
});

test('a file of values is read cell by cell', () => {
  assert.deepEqual(readCsv('a,"b, ""c""",1\r\nd,,-2.5\r\n'), [
    ['a', 'b, "c"', '1'],
    ['d', '', '-2.5'],
  ]);
});
