import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { packageFolder } from '../../web/notices.js';
import {
  checkWorkerNotices,
  crates,
  noticesText,
  standardLibrary,
  termsIn,
  workboxIn,
} from '../lib/notices.mjs';

/** The result of `work` for a folder with those files. */
function inFolder(files, work) {
  const folder = mkdtempSync(path.join(tmpdir(), 'notices-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const component = (name, license, texts) => ({
  name,
  version: '1.0.0',
  license,
  from: 'npm',
  texts,
});

test('of alternative licences MIT is taken, with a notice file; of joint licences, all are taken', () => {
  const files = {
    'LICENSE-MIT': 'mit\r\n',
    'LICENSE-APACHE': 'apache',
    NOTICE: 'notice',
    'licensing.rs': 'code',
  };
  const terms = (license) => inFolder(files, (folder) => termsIn(folder, license));
  assert.deepEqual(terms('MIT OR Apache-2.0'), ['mit', 'notice']);
  assert.deepEqual(terms('Apache-2.0 AND MIT'), ['apache', 'mit', 'notice']);
});

test('a tool’s own parts are not in the page', () => {
  const text = 'mit\n# Licenses of bundled dependencies\nhundreds of them';
  assert.deepEqual(
    inFolder({ 'LICENSE.md': text }, (folder) => termsIn(folder, 'MIT')),
    ['mit'],
  );
});

test('crates of tests, builds and the compiler are not in a product; others are, at any depth', () => {
  const entry = (name, source, kind = 'lib') => ({
    id: name,
    name,
    source,
    targets: [{ kind: [kind] }],
  });
  const on = (pkg, kind = null) => ({ pkg, dep_kinds: [{ kind }] });
  const metadata = {
    packages: [
      entry('ours', null),
      entry('near', 'index'),
      entry('far', 'index'),
      entry('macro', 'index', 'proc-macro'),
      entry('tester', 'index'),
      entry('builder', 'index'),
      entry('other', 'index'),
    ],
    resolve: {
      nodes: [
        {
          id: 'ours',
          deps: [on('near'), on('tester', 'dev'), on('builder', 'build'), on('macro')],
        },
        { id: 'near', deps: [on('far'), on('near')] },
        { id: 'far', deps: [] },
      ],
    },
  };
  assert.deepEqual(
    crates(metadata, ['ours']).map(({ name }) => name),
    ['near', 'far'],
  );
  assert.throws(() => crates(metadata, ['theirs']), /Not all of theirs are packages/);
});

test('each text is there once, with all its components', () => {
  const text = noticesText('A product', [
    component('b', 'MIT', ['the  same\nwords']),
    component('a', 'MIT', ['the same words']),
    component('c', 'ISC', ['other words']),
  ]);
  assert.match(text, /^A product\n\nMIT License/);
  assert.match(text, /\na 1\.0\.0 \(MIT\), npm\nb 1\.0\.0 \(MIT\), npm\n=+\n\nthe +same words\n/);
  assert.equal(text.match(/words/g).length, 2);
});

test('a component without a licence text takes that of another with the same licence, or is refused', () => {
  const bare = component('bare', 'Apache-2.0', []);
  const whole = component('whole', 'Apache-2.0', ['terms']);
  assert.match(noticesText('', [bare, whole]), /bare 1\.0\.0 .*\nwhole 1\.0\.0 .*\n=+\n\nterms/);
  assert.throws(() => noticesText('', [bare]), /bare \(Apache-2\.0\) comes without terms/);
});

test('the standard library counts with its parts, without those for other systems', () => {
  const part = (name, file) =>
    `<h3>📦 ${name}</h3><p><b>License:</b> MIT OR Apache-2.0</p><code>LICENSE-APACHE</code></summary><pre>apache</pre><code>${file}</code></summary><pre>\nterms &#34;as is&#34;</pre>`;
  const html = `<p><b>Copyright:</b> The Makers</p>${part('table-0.1.2', 'LICENSE-MIT')}${part('windows-sys-1.0.0', 'LICENSE-MIT')}`;
  const [own, table, ...more] = standardLibrary(html, 'mit terms', '1.2.3');
  assert.deepEqual([own.version, own.texts], ['1.2.3', ['Copyright The Makers\n\nmit terms']]);
  assert.deepEqual(
    [table.name, table.version, table.license, table.texts],
    ['table', '0.1.2', 'MIT OR Apache-2.0', ['terms "as is"']],
  );
  assert.deepEqual(more, []);
});

test('a module belongs to the innermost package that it is in', () => {
  assert.equal(
    packageFolder('/r/node_modules/a/node_modules/@s/b/x.js?v=1'),
    '/r/node_modules/a/node_modules/@s/b',
  );
  assert.equal(packageFolder('\0/r/node_modules/a/x.css'), '/r/node_modules/a');
  assert.equal(packageFolder('/r/web/src/main.ts'), undefined);
});

test('a service worker with packages that the notices do not name is not published', () => {
  const worker = 'self["workbox:core:7.4.1"]&&_();self[`workbox:routing:7.4.1`]';
  assert.deepEqual(workboxIn(worker), ['workbox-core', 'workbox-routing']);
  const check = (notices) =>
    inFolder({ 'sw.js': worker, 'NOTICES.txt': notices }, checkWorkerNotices);
  check('\n  workbox-core 7 (MIT)\n  workbox-routing 7 (MIT)');
  assert.throws(() => check('\n  workbox-core 7 (MIT)'), /made of: workbox-routing/);
});
