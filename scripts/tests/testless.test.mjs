// Crates whose manifest says that they have no tests are not built for tests, so they must have none.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { inRoot } from '../lib/paths.mjs';
import { filesUnder } from '../lib/stamp.mjs';

test('a crate that is not built for tests has none', () => {
  const crates = readdirSync(inRoot('sim-core')).filter((name) => {
    const manifest = filesUnder([`sim-core/${name}/Cargo.toml`])[0];
    return manifest && /^test = false$/m.test(readFileSync(inRoot(manifest), 'utf8'));
  });
  assert.ok(crates.length > 0);
  for (const file of filesUnder(crates.map((name) => `sim-core/${name}/src`))) {
    assert.doesNotMatch(readFileSync(inRoot(file), 'utf8'), /#\[test\]|\/\/[/!] ```/, file);
  }
});
