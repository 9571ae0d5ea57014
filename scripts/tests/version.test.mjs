// The version is that of the workspace in Cargo.toml. Crates, the wheel and the page take it from there; this test
// compares the other places.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { inRoot } from '../lib/paths.mjs';
import { changesOf, version } from '../lib/version.mjs';

const read = (...parts) => readFileSync(inRoot(...parts), 'utf8');
const citation = read('CITATION.cff');

test('npm, its lock file, the citation and the fuzzers have the version of the workspace', () => {
  const { version: ofLock, packages } = JSON.parse(read('package-lock.json'));
  assert.deepEqual(
    {
      npm: JSON.parse(read('package.json')).version,
      lock: [ofLock, packages[''].version],
      citation: /^version: (.*)$/m.exec(citation)?.[1],
      fuzzers: /^version = "(.*)"$/m.exec(read('sim-core', 'fuzz', 'Cargo.toml'))?.[1],
    },
    { npm: version(), lock: [version(), version()], citation: version(), fuzzers: version() },
  );
});

test('every crate takes its version from the workspace, and the wheel takes that of its crate', () => {
  const crates = readdirSync(inRoot('sim-core'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'fuzz')
    .map(({ name }) => `sim-core/${name}/Cargo.toml`)
    .filter((file) => {
      try {
        return read(file) !== '';
      } catch {
        return false;
      }
    });
  assert.ok(crates.length > 10);
  const others = crates.filter((file) => !read(file).includes('\nversion.workspace = true\n'));
  assert.deepEqual(others, []);
  assert.match(read('sim-core', 'python', 'pyproject.toml'), /^dynamic = \["version"\]$/m);
  const page = read('sim-core', 'python', 'page', 'timeslice_page', '__init__.py');
  assert.equal(/^__version__ = "(.*)"$/m.exec(page)?.[1], version());
});

test('the changelog has a section of the version, dated like the citation, with nothing twice', () => {
  const { date, text } = changesOf(version());
  assert.equal(/^date-released: '(.*)'$/m.exec(citation)?.[1], date);
  const entries = text.split(/^- /m).slice(1);
  const twice = entries.filter((entry, at) => entries.indexOf(entry) !== at);
  assert.deepEqual(twice, []);
  assert.ok(entries.length > 0);
});

test('an unknown section of the changelog is reported', () => {
  assert.throws(() => changesOf('9.9.9'), /CHANGELOG.md has no section "## 9.9.9 - <date>"/);
});
