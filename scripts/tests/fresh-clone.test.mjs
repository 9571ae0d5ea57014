// npm start and npm test begin before set-up has installed a package, so their static imports must not need one.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { inRoot } from '../lib/paths.mjs';

/** Packages that a script imports statically, directly or through others, with the importing file. */
function packages(file, seen = new Set()) {
  if (seen.has(file)) return [];
  seen.add(file);
  const found = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)\s(?:[\w$*{}\s,]*\sfrom\s)?'([^']+)';/gm,
  );
  return [...found].flatMap(([, what]) => {
    if (what.startsWith('node:')) return [];
    if (!what.startsWith('.')) return [`${path.relative(inRoot(), file)}: ${what}`];
    return what.endsWith('.json') ? [] : packages(path.resolve(path.dirname(file), what), seen);
  });
}

for (const script of ['start', 'test', 'setup'])
  test(`on a fresh clone ${script} starts without a package`, () => {
    assert.deepEqual(packages(inRoot('scripts', `${script}.mjs`)), []);
  });

test('a script that imports a package statically is found', () => {
  assert.notDeepEqual(packages(inRoot('scripts', 'gallery.mjs')), []);
});
