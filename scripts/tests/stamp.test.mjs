import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { coreContent, isWasmInput } from '../lib/inputs.mjs';
import { cache } from '../lib/paths.mjs';
import { changesSince, filesUnder, hashFiles, isFresh, writeStamp } from '../lib/stamp.mjs';

const name = `test-${process.pid}`;
const folder = path.join(cache, name);
const output = path.join(folder, 'out');
const inputs = () => hashFiles(filesUnder([`.cache/${name}/in`]));

beforeEach(() => {
  mkdirSync(path.join(folder, 'in', 'deep'), { recursive: true });
  mkdirSync(output);
  writeFileSync(path.join(folder, 'in', 'deep', 'a'), 'one');
  writeFileSync(path.join(output, 'built'), 'result');
  writeStamp(name, inputs(), output);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  rmSync(path.join(cache, 'stamps', `${name}.json`));
});

test('a new build is fresh', () => {
  assert.equal(isFresh(name, inputs(), output), true);
});

test('a changed, added, renamed or removed input makes a build stale', () => {
  const before = inputs();
  writeFileSync(path.join(folder, 'in', 'deep', 'a'), 'two');
  assert.equal(isFresh(name, inputs(), output), false);
  writeFileSync(path.join(folder, 'in', 'deep', 'a'), 'one');
  assert.equal(inputs(), before);
  writeFileSync(path.join(folder, 'in', 'b'), '');
  assert.equal(isFresh(name, inputs(), output), false);
  rmSync(path.join(folder, 'in'), { recursive: true });
  assert.equal(isFresh(name, inputs(), output), false);
});

test('a deleted or incomplete output makes a build stale', () => {
  writeFileSync(path.join(output, 'built'), 'res');
  assert.equal(isFresh(name, inputs(), output), false);
  rmSync(output, { recursive: true });
  assert.equal(isFresh(name, inputs(), output), false);
});

test('a changed scheduler reaches the package; its tests, texts and the command line do not', () => {
  assert.equal(isWasmInput('sim-core/schedulers/src/ule/mod.rs'), true);
  assert.equal(isWasmInput('scenarios/lessons/begin.json'), true);
  for (const file of [
    'sim-core/schedulers/src/README.md',
    'sim-core/tests/golden.rs',
    'sim-core/cli/src/main.rs',
    'Cargo.toml.orig',
    'web/src/App.svelte',
  ])
    assert.equal(isWasmInput(file), false, file);
});

test('of the reasons of decisions their texts do not reach the package', () => {
  const file = 'sim-core/schedulers/src/bfs/reasons.json';
  const content = coreContent(file);
  assert.match(content, /"id":"idle_core","kind":"selectCpu".*"operands":/);
  assert.doesNotMatch(content, /sentence|formula|deviation|ranks best/);
  // Of other files all counts.
  assert.ok(coreContent('sim-core/schedulers/src/lib.rs').includes('The schedulers'));
});

test('changes since a record are files that are new, different or gone', () => {
  const now = () => changesSince(name, filesUnder([`.cache/${name}/in`]));
  const file = (n) => `.cache/${name}/in/deep/${n}`;
  // The stamp of a build is no such record, so all files are new.
  assert.ok(now().changed.includes(file('a')));
  now().record();
  assert.deepEqual(now().changed, []);
  writeFileSync(path.join(folder, 'in', 'deep', 'b'), 'new');
  writeFileSync(path.join(folder, 'in', 'deep', 'a'), 'two');
  assert.deepEqual(now().changed, [file('a'), file('b')]);
  now().record();
  rmSync(path.join(folder, 'in', 'deep', 'b'));
  assert.deepEqual(now().changed, [file('b')]);
});
