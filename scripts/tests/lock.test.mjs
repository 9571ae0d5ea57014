import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { withLock } from '../lib/lock.mjs';
import { cache } from '../lib/paths.mjs';

const file = (name) => path.join(cache, 'locks', name);

test('two builds of one name do not overlap', async () => {
  const name = `test-${process.pid}`;
  let inside = 0;
  let most = 0;
  const build = () =>
    withLock(name, async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise(setImmediate);
      inside -= 1;
    });
  await Promise.all([build(), build(), build()]);
  assert.equal(most, 1);
  assert.equal(existsSync(file(name)), false);
});

test('the lock is given back when a build fails', async () => {
  const name = `test-fail-${process.pid}`;
  const failing = withLock(name, () => Promise.reject(new Error('broken')));
  await assert.rejects(failing, /broken/);
  assert.equal(existsSync(file(name)), false);
});

test('the lock of a process that is gone is taken over', async () => {
  const name = `test-gone-${process.pid}`;
  const { pid } = spawnSync(process.execPath, ['--version']);
  mkdirSync(path.dirname(file(name)), { recursive: true });
  writeFileSync(file(name), String(pid));
  assert.equal(await withLock(name, () => 'built'), 'built');
});
