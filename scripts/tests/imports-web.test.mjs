import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importsOf, targetOf, webProblems } from '../lib/imports-web.mjs';

const tables = {
  layers: { lib: [], sim: ['lib'], view: ['lib', 'sim'], '': ['view'] },
  rules: [
    { why: 'commands', from: /^view\//, to: /^sim\//, allow: /^sim\/frame$/, allowTypeOnly: null },
    { why: 'page', from: /^sim\//, to: /\.svelte$/, allow: null, allowTypeOnly: null },
    {
      why: 'package',
      from: /^(?!sim\/worker\.ts$)/,
      to: /^sim\/pkg\//,
      allow: null,
      allowTypeOnly: /^sim\/pkg\//,
      typeOnlyFrom: /^sim\//,
    },
  ],
  isComponent: (target) => target === 'sim/Box.svelte',
};
const reasons = (file, text) => webProblems(file, text, tables).map(({ why }) => why);

test('every form of import is found, with whether it is only for types', () => {
  const text = `
    import a from './a';
    import type { B } from './b';
    import { type C, type D } from './c';
    import { type E, f } from './e';
    import './style.css';
    export { g } from './g';
    const h = await import('./h');
    let i: import('./i').I;
    const w = new Worker(new URL('./w.ts', import.meta.url));
    // import z from './z';
    const s = "import y from './y'";
  `;
  assert.deepEqual(
    importsOf('x.ts', text).map(({ specifier, typeOnly }) => [specifier, typeOnly]),
    [
      ['./a', false],
      ['./b', true],
      ['./c', true],
      ['./e', false],
      ['./style.css', false],
      ['./g', false],
      ['./h', false],
      ['./i', true],
      ['./w.ts', false],
    ],
  );
});

test('a component is read in its script blocks only', () => {
  const text = `<script module>import a from './a';</script><p>import b from './b'</p>
    <script lang="ts">import c from './c';</script>`;
  assert.deepEqual(
    importsOf('X.svelte', text).map(({ specifier }) => specifier),
    ['./a', './c'],
  );
});

test('a module with runes is not a component', () => {
  const isComponent = (target) => target === 'view/A.svelte';
  assert.equal(targetOf('view/B.ts', './A.svelte', isComponent), 'view/A.svelte');
  assert.equal(targetOf('view/B.ts', '../state/run.svelte', isComponent), 'state/run');
  assert.equal(targetOf('view/B.ts', '../state/run.svelte.ts', isComponent), 'state/run');
  assert.equal(targetOf('view/B.ts', 'd3-scale', isComponent), 'npm:d3-scale');
  assert.equal(
    targetOf('view/B.ts', '../../../scenarios/a.json', isComponent),
    'outside:../../scenarios/a.json',
  );
});

test('an import against the direction is a problem', () => {
  assert.deepEqual(reasons('lib/a.ts', "import { x } from '../sim/frame';"), [
    'lib must not import from sim',
  ]);
  assert.deepEqual(reasons('sim/a.ts', "import { x } from '../lib/a';"), []);
  assert.deepEqual(reasons('main.ts', "import x from './view/x';"), []);
  assert.deepEqual(reasons('misc/a.ts', "import x from '../lib/x';"), [
    'the folder misc is not in the table',
  ]);
});

test('rules apply in addition to the layers', () => {
  assert.deepEqual(reasons('view/a.ts', "import { x } from '../sim/client';"), ['commands']);
  assert.deepEqual(reasons('view/a.ts', "import { x } from '../sim/frame';"), []);
  assert.deepEqual(reasons('sim/a.ts', "import Box from './Box.svelte';"), ['page']);
  assert.deepEqual(reasons('sim/a.ts', "import { run } from './run.svelte';"), []);
});

test('the generated package is for the worker, and for types within sim', () => {
  assert.deepEqual(reasons('sim/worker.ts', "import init from './pkg/p';"), []);
  assert.deepEqual(reasons('sim/a.ts', "import init from './pkg/p';"), ['package']);
  assert.deepEqual(reasons('sim/a.ts', "import type { A } from './pkg/p';"), []);
  assert.deepEqual(reasons('lib/a.ts', "import type { A } from '../sim/pkg/p';").length, 2);
});

test('a barrel file is a problem', () => {
  assert.equal(reasons('lib/index.ts', "export { a } from './a';").length, 1);
  assert.equal(reasons('lib/other.ts', "export { a } from './a';").length, 0);
});
