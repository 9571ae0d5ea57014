// Crates whose manifest says that their library has no tests are not built for tests, so they must have none. The same holds
// for examples in their documentation.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { inRoot } from '../lib/paths.mjs';
import { filesUnder } from '../lib/stamp.mjs';

/** The sources of all crates with such a line about their library in their manifest. */
function sourcesOf(line) {
  const names = ['', ...readdirSync(inRoot('sim-core')).map((name) => `/${name}`)];
  const crates = names.filter((name) => {
    const manifest = filesUnder([`sim-core${name}/Cargo.toml`])[0];
    const [, library] = manifest ? readFileSync(inRoot(manifest), 'utf8').split(/^\[lib\]$/m) : [];
    return library && line.test(library.split(/^\[/m)[0]);
  });
  assert.ok(crates.length > 0);
  return filesUnder(crates.map((name) => `sim-core${name}/src`));
}

test('a crate that is not built for tests has none', () => {
  for (const file of sourcesOf(/^test = false$/m)) {
    assert.doesNotMatch(readFileSync(inRoot(file), 'utf8'), /#\[test\]/, file);
  }
});

test('a crate whose examples are not run has none', () => {
  for (const file of sourcesOf(/^doctest = false$/m)) {
    assert.doesNotMatch(readFileSync(inRoot(file), 'utf8'), /\/\/[/!] ```/, file);
  }
});
