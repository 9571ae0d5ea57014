import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, test } from 'node:test';
import { cache } from '../lib/paths.mjs';
import { removeStamp } from '../lib/stamp.mjs';
import { countsOf, runSteps } from '../lib/step-runner.mjs';
import { partOf, parts, steps, stepsOf } from '../steps.mjs';

const mark = `test-${process.pid}`;
const file = path.join(cache, `${mark}.txt`);
const step = (name, code, rest = {}) => ({
  name: `${mark} ${name}`,
  command: `node --eval process.exitCode=${code}`,
  ...{ lane: 'core', sets: [], after: [], reads: [`.cache/${mark}.txt`], ...rest },
});
const names = (rows) => rows.map(({ name }) => name.slice(mark.length + 1));

afterEach(() => {
  rmSync(file, { force: true });
  for (const name of ['good', 'later']) removeStamp(`step-${mark}-${name}`);
});

test('a step that fails ends the run when asked, and does not otherwise', async () => {
  writeFileSync(file, 'one');
  const all = [step('good', 0), step('bad', 1), step('later', 0)];
  const stopped = await runSteps(all, { stopAtFailure: true });
  assert.deepEqual(names(stopped.rows), ['good', 'bad']);
  assert.deepEqual([stopped.rows[1].failed, stopped.notRun.length], [1, 1]);
  const { rows } = await runSteps(all);
  assert.deepEqual(names(rows), ['good', 'bad', 'later']);
});

test('a step does not run when one that it needs in the other lane has failed', async () => {
  writeFileSync(file, 'one');
  const bad = step('build', 1, { lane: 'page' });
  const { rows, notRun } = await runSteps([bad, step('needs it', 0, { after: [bad.name] })]);
  assert.deepEqual([names(rows), notRun.length], [['build'], 1]);
});

test('a step that passed is left out until something that it reads changes', async () => {
  writeFileSync(file, 'one');
  const all = [step('good', 0), step('bad', 1)];
  await runSteps(all);
  const again = await runSteps(all, { onlyChanged: true });
  assert.deepEqual([names(again.rows), again.unchanged.length], [['bad'], 1]);
});

test('a step reads what a step before it has made', async () => {
  writeFileSync(file, 'one');
  const later = step('later', 0);
  await runSteps([later]);
  const command = `node --eval require('fs').writeFileSync(${JSON.stringify(file)},'two')`;
  const make = step('make', 0, { command, reads: null });
  const { rows } = await runSteps([make, later], { onlyChanged: true });
  assert.deepEqual(names(rows), ['make', 'later']);
});

test('a command without counts is one check, and one that finds no test is a failure', () => {
  assert.deepEqual(countsOf('fine', 0), { passed: 1, failed: 0 });
  assert.deepEqual(countsOf('3 passed, 0 failed\n', 0), { passed: 3, failed: 0 });
  assert.deepEqual(countsOf('3 passed, 0 failed\n', 1), { passed: 3, failed: 1 });
  assert.deepEqual(countsOf('0 passed, 0 failed\n', 0), { passed: 0, failed: 1 });
});

test('every step has a name of its own, and needs only steps that run before it', () => {
  assert.equal(new Set(steps.map(({ name }) => name)).size, steps.length);
  for (const set of ['check', 'test', ...parts]) {
    const of = stepsOf(set);
    assert.ok(of.length > 0, set);
    for (const { name, after } of of)
      for (const wanted of after) {
        const before = of.findIndex((one) => one.name === wanted);
        assert.ok(before >= 0, `${set}: ${name} needs ${wanted}`);
      }
  }
});

test('every nightly part has its day', () => {
  const days = parts.map((_, i) => partOf(new Date(86_400_000 * (20_000 + i))));
  assert.deepEqual([...days].sort(), [...parts].sort());
});
