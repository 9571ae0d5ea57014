import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare, grown, incomparable, perEvent, readCallgrind } from '../lib/instructions.mjs';

// As in the manual: names are written out once, and the line after `calls=` is the cost of the callee.
const FILE = `# callgrind format
version: 1
positions: line
events: Ir

ob=(1) /target/release/timeslice-bench
fl=(1) ???
fn=(1) main::h0123456789abcdef
0 400
cfn=(2) engine::step
calls=3 0
0 4500
0 100

fn=(2)
0 3000
cfi=(2) other.rs
cfn=(3) memcpy
calls=30 0
0 1500

fn=(3)
0 1500

totals: 5000
`;

test('instructions count for the function that contains them, and once', () => {
  const { total, functions } = readCallgrind(FILE);
  assert.equal(total, 5000);
  assert.deepEqual(Object.fromEntries(functions), {
    main: 500,
    'engine::step': 3000,
    memcpy: 1500,
  });
});

const short = {
  total: 5000,
  events: 10,
  functions: new Map([
    ['start', 4000],
    ['step', 1000],
  ]),
};
const long = {
  total: 15_000,
  events: 110,
  functions: new Map([
    ['start', 4000],
    ['step', 11_000],
  ]),
};

test('start-up is not counted', () => {
  assert.deepEqual(perEvent(short, long), { perEvent: 100, functions: { step: 100, start: 0 } });
  assert.throws(() => perEvent(long, short), /more events/);
});

const row = (perEvent, more = {}) => ({ short: 1, long: 2, perEvent, functions: {}, ...more });
const verdict = (before, now) => compare({ a: before }, { a: now })[0].verdict;

test('two per cent more is the limit', () => {
  assert.equal(verdict(row(1000), row(1000)), 'same');
  assert.equal(verdict(row(1000), row(1019.9)), 'same');
  assert.equal(verdict(row(1000), row(1020.1)), 'GREW');
  assert.equal(verdict(row(1000), row(979)), 'fell');
});

test('rows that cannot be compared do not count as equal', () => {
  assert.equal(verdict(row(1000), row(1000, { long: 3 })), 'of other lengths');
  assert.equal(verdict(row(1000), undefined), 'gone');
  assert.equal(verdict(undefined, row(1000)), 'new');
});

test('a baseline of another compiler or system is not compared', () => {
  const made = { rustc: 'rustc 1.95.0', host: 'x86_64' };
  assert.equal(incomparable(made, { ...made, valgrind: 'any' }), undefined);
  assert.match(incomparable(made, { ...made, rustc: 'rustc 1.96.0' }), /another compiler: .*1\.95/);
  assert.match(incomparable(made, { ...made, host: 'aarch64' }), /another system/);
});

test('the functions that grew most come first', () => {
  const before = { a: 10, b: 20, gone: 5 };
  const now = { a: 13, b: 20, fresh: 4 };
  assert.deepEqual(
    grown(before, now).map((f) => f.name),
    ['fresh', 'a'],
  );
});
