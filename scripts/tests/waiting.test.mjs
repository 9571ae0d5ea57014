import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Waiting, roughly } from '../lib/waiting.mjs';

/** A first start: packages beside a library, then two tools side by side, then a build. */
function firstStart() {
  let now = 0;
  const waiting = new Waiting(() => now);
  // The build is planned first, by the script that needs the page.
  waiting.plan('build', 60, 2);
  waiting.plan('packages', 20, 0);
  waiting.plan('tool a', 100, 1);
  waiting.plan('tool b', 150, 1);
  const after = (seconds) => {
    now = 1000 * seconds;
  };
  return { waiting, after };
}

test('planned work is announced', () => {
  const { waiting } = firstStart();
  assert.equal(waiting.planned(), 'to do: packages, tool a, tool b and build; about 4 min in all');
  assert.equal(new Waiting().planned(), undefined);
});

test('present work is reported, with the remaining time of it and of everything', () => {
  const { waiting, after } = firstStart();
  assert.equal(waiting.line(), undefined);
  waiting.begin('packages', 20);
  after(15);
  assert.match(waiting.line(), /^waiting for packages \(about 5 s left\); then tool a, /);
  waiting.end('packages');
  waiting.begin('tool a', 100);
  waiting.begin('tool b', 150);
  after(75);
  assert.equal(
    waiting.line(),
    'waiting for tool a (about 40 s left) and tool b (about 1.5 min left); then build; ' +
      'about 2.5 min left in all',
  );
  assert.equal(waiting.secondsLeft(), 90 + 60);
});

test('overdue work no longer counts, and is reported with its elapsed time', () => {
  const { waiting, after } = firstStart();
  waiting.begin('packages', 20);
  after(50);
  assert.match(waiting.line(), /^waiting for packages \(50\.0 s up to now\); .* beside that/);
  assert.equal(waiting.secondsLeft(), 150 + 60);
  for (const what of ['tool a', 'tool b', 'build']) waiting.end(what);
  assert.equal(waiting.line(), 'waiting for packages (50.0 s up to now)');
});

test('unplanned work is waited for as well', () => {
  const { waiting } = firstStart();
  waiting.begin('something else');
  assert.match(waiting.line(), /^waiting for something else \(0\.0 s up to now\); then packages/);
  waiting.end('something else');
  assert.equal(waiting.secondsLeft(), 20 + 150 + 60);
});

test('seconds are rounded for people who wait', () => {
  assert.deepEqual([1, 12, 58, 75, 100, 600].map(roughly), [
    'about 5 s',
    'about 10 s',
    'about 60 s',
    'about 1.5 min',
    'about 1.5 min',
    'about 10 min',
  ]);
});
