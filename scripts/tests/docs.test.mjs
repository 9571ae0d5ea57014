import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { reasonTables } from '../../web/reasons.js';
import { isFolderReadme } from '../lib/inputs.mjs';
import { brokenLinks, isAddress, linksIn, pageProblem } from '../lib/links.mjs';
import { PAGES } from '../lib/manual/contents.mjs';
import { CRITERIA, readReport, reportProblems } from '../lib/manual/conformance.mjs';
import { FILM, PICTURES } from '../lib/manual/pictures.mjs';
import { inRoot } from '../lib/paths.mjs';
import { longSentences } from '../lib/plain-words.mjs';
import { filesUnder } from '../lib/stamp.mjs';

const read = (file) => readFileSync(inRoot(file), 'utf8');
const SOURCES = ['sim-core', 'web', 'e2e', 'scripts'];
const isMade = (file) =>
  ['web/src/sim/pkg', 'web/src/sim/types', 'sim-core/fuzz/target'].includes(file) ||
  /\/(node_modules|target|__pycache__|\.wuchale|\.svelte-check)$/.test(file);
const sources = filesUnder(SOURCES, isMade);
const folderReadmes = sources.filter((file) => file.endsWith('/README.md'));
const texts = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...filesUnder(['docs']).filter((file) => file.endsWith('.md')),
  ...folderReadmes,
];

test('every link of README, docs and folder READMEs leads somewhere', () => {
  assert.deepEqual(
    texts.flatMap((file) => brokenLinks(file)),
    [],
  );
});

test('every path that documents for developers name is there', () => {
  const all = [
    ...filesUnder(
      ['sim-core', 'web', 'e2e', 'scripts', 'scenarios', 'docs', 'public'],
      (file) => isMade(file) && file !== 'web/src/sim/types',
    ),
    ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ];
  const isThere = (path) =>
    all.some((file) => `/${file}`.endsWith(`/${path}`) || `/${file}`.includes(`/${path}/`));
  const named = (file) =>
    [...read(file).matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*)\/?`/g)]
      .map(([, path]) => path)
      .filter((path) => /^(sim-core|web|e2e|scripts|scenarios|docs)\/|\.(rs|ts|mjs)$/.test(path))
      .filter((path) => !isThere(path) && !/\/(artifacts|fuzz\/target)$/.test(path))
      .map((path) => `${file}: ${path}`);
  assert.deepEqual(
    [
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'docs/adding.md',
      'docs/newcomer.md',
      'docs/safety.md',
      ...filesUnder(['docs/decisions']),
    ].flatMap(named),
    [],
  );
  assert.ok(!isThere('web/src/files/shelf.ts') && isThere('contract/src/parts.rs'));
});

test('a link that leads nowhere is found', () => {
  const text =
    '# A head\n[a](missing.md) [b](#a-head) [c](#gone) [d](docs/model.md#gone) [e](http://a b) <img src="no.png">';
  const read = (file) => (file === 'x.md' ? text : '# Other\n');
  assert.equal(brokenLinks('x.md', read).length, 4);
  assert.deepEqual(linksIn('[a](b.md)\n\n| x |\n|---|\n| ![c](d.png) |').links, ['b.md', 'd.png']);
  assert.deepEqual(
    [isAddress('https://example.org/a'), isAddress('https//example.org')],
    [true, false],
  );
  assert.deepEqual(
    ['#l1', '#l99', '#s.bfs-smt', '#s.gone', '#r=', 'a.txt'].map((a) => pageProblem(a) === ''),
    [...[true, false, true, false, true, false]],
  );
});

/** Made from data, whose sentences stand elsewhere. */
const made = ['claims', 'constants', 'linux', 'machines', 'scaling'].map((n) => `docs/${n}.md`);

test('no sentence that people write into documents has more than 30 words', () => {
  for (const file of made) assert.match(read(file), /Written by `npm run [\w ]+`/, file);
  const written = [...texts, 'SECURITY.md'].filter((file) => !made.includes(file));
  const long = written.flatMap((file) =>
    longSentences(read(file), 30).map((sentence) => `${file}: ${sentence}`),
  );
  const { chapters } = readReport();
  for (const chapter of Object.values(chapters))
    for (const { num, components } of chapter.criteria ?? [])
      long.push(
        ...longSentences(components[0].adherence.notes, 30).map(
          (sentence) => `${num}: ${sentence}`,
        ),
      );
  assert.deepEqual(long, []);
});

test('a long sentence is found, in a list and over a semicolon too', () => {
  const words = (n) => Array.from({ length: n }, () => 'word').join(' ');
  assert.equal(longSentences(`- ${words(20)}; ${words(11)}.`, 30).length, 1);
  assert.equal(longSentences(`${words(20)}. ${words(11)}.`, 30).length, 0);
});

test('every source folder with more than ten files has a README that names existing files', () => {
  const counts = new Map();
  for (const file of sources.filter((f) => /\.(rs|ts|svelte|mjs|js|css|py)$/.test(f))) {
    const folder = file.slice(0, file.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const many = [...counts].filter(([, count]) => count > 10).map(([folder]) => folder);
  assert.ok(many.length > 30, `${many.length} folders`);
  assert.deepEqual(
    many.filter((folder) => !existsSync(inRoot(folder, 'README.md'))),
    [],
  );
  const gone = many.flatMap((folder) =>
    [...read(`${folder}/README.md`).matchAll(/`([\w.-]+\.(?:rs|ts|svelte|mjs))`/g)]
      .map(([, name]) => name)
      .filter((name) => !existsSync(inRoot(folder, name)))
      .map((name) => `${folder}: ${name}`),
  );
  assert.deepEqual(gone, []);
  const long = many.filter((folder) => read(`${folder}/README.md`).split('\n').length > 45);
  assert.deepEqual(long, [], 'a README of a folder fits on a screen');
});

test('a README of a folder triggers no build; a text of the manual does', () => {
  const inSources = folderReadmes.filter((file) => /^(sim-core|web)\/.*src\//.test(file));
  assert.ok(inSources.length > 25);
  assert.deepEqual(
    inSources.filter((file) => !isFolderReadme(file)),
    [],
  );
  const others = ['docs/manual/README.md', 'sim-core/python/README.md', 'web/src/view/README.ts'];
  assert.deepEqual(others.filter(isFolderReadme), []);
});

test('CONTRIBUTING lists the environment variables that scripts and tests read, and no others', () => {
  const found = new Set();
  const reading = [
    /process\.env\.([A-Z][A-Z0-9_]*)/g,
    /process\.env\['([A-Z][A-Z0-9_]*)'\]/g,
    /env::var\(\s*"([A-Z][A-Z0-9_]*)"/g,
    /os\.environ(?:\.get\(\\?"|\[\\?")([A-Z][A-Z0-9_]*)/g,
    /\b(TIMESLICE_[A-Z0-9_]*[A-Z0-9])\b/g,
    /\$\{(CARGO_[A-Z_]+)/g,
  ];
  const code = [...sources, '.ci/run'].filter(
    (f) => /\.(rs|ts|mjs|js|py|ipynb)$|\.ci\/run$/.test(f) && !f.startsWith('scripts/tests/'),
  );
  for (const file of code)
    for (const pattern of reading)
      for (const [, name] of read(file).matchAll(pattern)) found.add(name);
  // Variables of other programs.
  for (const name of ['NODE_ENV', 'VITEST', 'OUT_DIR']) found.delete(name);
  const text = read('CONTRIBUTING.md');
  const table = text.slice(
    text.indexOf('## Environment variables'),
    text.indexOf('## When goldens change'),
  );
  const listed = new Set(
    [...table.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell]) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, n]) => n),
    ),
  );
  // proptest reads it itself.
  listed.delete('PROPTEST_CASES');
  const without = (all, others) => [...all].filter((name) => !others.has(name)).sort();
  assert.deepEqual(
    { missing: without(found, listed), extra: without(listed, found) },
    { missing: [], extra: [] },
  );
});

test('every text below docs/manual is a page of the manual, once', () => {
  const own = filesUnder(['docs/manual']).filter((file) => file.endsWith('.md'));
  const files = PAGES.map(({ file }) => file);
  assert.deepEqual(
    own.filter((file) => !files.includes(file)),
    [],
  );
  assert.equal(new Set(files).size, files.length);
  assert.equal(new Set(PAGES.map(({ id }) => id)).size, PAGES.length);
});

test('every scheduler has its page', () => {
  const ids = reasonTables().map(([id]) => id);
  const pages = PAGES.map(({ id }) => id);
  assert.ok(ids.length >= 7);
  // What its user writes, and what a machine did, have pages of their own.
  const others = { own: 'policies', recorded: 'record', thisMachine: 'real' };
  const pageOf = (id) => others[id] ?? `schedulers/${id}`;
  assert.deepEqual(
    ids.filter((id) => !pages.includes(pageOf(id))),
    [],
  );
});

test('pictures exist, light and dark, each is used, and all are small', () => {
  const wanted = [
    ...PICTURES.flatMap(({ name }) => [`${name}-light.webp`, `${name}-dark.webp`]),
    `${FILM.name}.gif`,
  ];
  const there = readdirSync(inRoot('docs', 'pictures')).filter((name) => name !== 'stamp.json');
  assert.deepEqual(there.sort(), wanted.sort());
  const shown = texts.map(read).join('\n');
  assert.deepEqual(
    PICTURES.filter(({ name }) => !shown.includes(`pictures/${name}-light.webp`)),
    [],
  );
  const large = there.filter(
    (name) =>
      readFileSync(inRoot('docs', 'pictures', name)).length >
      (name.endsWith('.gif') ? 1_000_000 : 150_000),
  );
  assert.deepEqual(large, []);
});

test('the conformance report covers every criterion of WCAG 2.2 A and AA', () => {
  assert.deepEqual(
    [CRITERIA.a, CRITERIA.aa].map((all) => Object.keys(all).length),
    [31, 24],
  );
  assert.deepEqual(reportProblems(readReport()), []);
});

test('a report without a criterion, with an unknown level or without words is refused', () => {
  const broken = readReport();
  const { criteria } = broken.chapters.success_criteria_level_a;
  criteria.pop();
  criteria[0].components[0].adherence = { level: 'great', notes: '' };
  assert.equal(reportProblems(broken).length, 3);
});
