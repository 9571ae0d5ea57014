// A script says itself how it is called, and refuses what it does not know.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { inRoot } from '../lib/paths.mjs';
import { ask } from '../lib/run.mjs';
import { checkOptions, optionsOf, usageOf } from '../lib/usage.mjs';

const scripts = ['scripts', 'scripts/measure'].flatMap((folder) =>
  readdirSync(inRoot(folder))
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => inRoot(folder, name)),
);

test('every option that a script reads stands in its usage', () => {
  const read = /(?:args|argv)\.includes\('(--[a-z-]+)'|[oO]ption\([^']*'(--[a-z-]+)'/g;
  for (const script of scripts) {
    const text = readFileSync(script, 'utf8');
    const known = optionsOf(usageOf(text));
    for (const [, flag, value] of text.matchAll(read))
      assert.ok(!known || known.has(flag ?? value), `${script}: ${flag ?? value}`);
  }
});

test('an option that a usage does not name is refused', () => {
  const usage = 'npm run sheet [-- --only TEXT]';
  checkOptions(usage, ['--only', 'start', '--only=start', '--yes', 'FOLDER', '-1']);
  for (const wrong of ['--onyl', '--light=1'])
    assert.throws(
      () => checkOptions(usage, [wrong]),
      /There is no option --[a-z]+\.\n\nnpm run sheet/,
    );
});

test('options of a program that a script calls are all allowed', () => {
  checkOptions('npm run e2e [-- OPTIONS]: with options of Playwright', ['--grep', 'start']);
});

test('--help prints the usage, and does nothing else', () => {
  const script = inRoot('scripts', 'mutations.mjs');
  const said = ask(process.execPath, [script, '--help']);
  assert.equal(said.trim(), usageOf(readFileSync(script, 'utf8')));
});
