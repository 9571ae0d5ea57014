import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rebuilder } from '../lib/rebuilder.mjs';

/** A build that ends when it is told, and what has been built up to now. */
function slowBuild() {
  const built = [];
  const ends = [];
  let sources = 0;
  const builds = new Rebuilder(async () => {
    const seen = sources;
    await new Promise((resolve) => ends.push(resolve));
    built.push(seen);
  });
  return {
    built,
    change: () => {
      sources += 1;
      return builds.ask();
    },
    end: async () => {
      ends.shift()();
      // The next build begins after all that waits for this one.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('changes made during a build are built next, all together', async () => {
  const { built, change, end } = slowBuild();
  const all = change();
  change();
  change();
  await end();
  assert.deepEqual(built, [1]);
  await end();
  await all;
  assert.deepEqual(built, [1, 3]);
});

test('after the last build, the next change is built at once', async () => {
  const { built, change, end } = slowBuild();
  const first = change();
  await end();
  await first;
  const second = change();
  await end();
  await second;
  assert.deepEqual(built, [1, 2]);
});
