// Fails when a file of the page, or of the engine, names what its place in the architecture forbids. The tables say what is
// allowed; lib/imports-web.mjs and lib/imports-engine.mjs read them. Other rooms of the core are crates, and Cargo refuses.
//   node scripts/check-imports.mjs
import { existsSync, readFileSync } from 'node:fs';
import { runIfEntry } from './lib/entry.mjs';
import { circlesOf, engineProblems } from './lib/imports-engine.mjs';
import { webProblems } from './lib/imports-web.mjs';
import { Failure, note } from './lib/log.mjs';
import { inRoot } from './lib/paths.mjs';
import { filesUnder } from './lib/stamp.mjs';

/** Folder of web/src → folders it may import from, besides itself. '' is web/src itself. */
const webLayers = {
  // Only tables of words.
  locales: [],
  lib: ['locales'],
  sim: ['lib'],
  files: ['lib', 'sim'],
  link: ['lib', 'sim', 'files'],
  // Features of a browser that tests do not have: address bar, full screen, storage.
  browser: ['lib'],
  storage: ['lib', 'sim', 'files'],
  state: ['lib', 'sim', 'files', 'link', 'browser', 'storage'],
  view: ['lib', 'sim', 'files', 'link', 'browser', 'storage', 'state'],
  styles: [],
  '': ['lib', 'sim', 'files', 'link', 'browser', 'storage', 'state', 'view', 'styles'],
};

/** Rules in addition to the layers: files that match `from` may import files that match `to` only under a condition. */
const webRules = [
  {
    why: 'the view reads frames and traces; commands go through the state',
    // Tests run the real core, to know what the page has to show.
    from: /^view\/(?!.*\.test\.ts$)/,
    to: /^sim\//,
    allow: /^sim\/(frame|property\/edit|samples|trace|types\/.*)$/,
    allowTypeOnly:
      /^sim\/(protocol|lesson\/protocol|trace-file\/protocol|export|frame|samples|trace|history|placings|types\/.*)$/,
  },
  {
    why: 'only the worker, its loader and the judge touch the WebAssembly package',
    from: /^(?!sim\/(core-start|load-core|serve|test-core|lesson\/list|lesson\/serve|sweep\/serve|sweep\/judge|trace-file\/serve)\.ts$|.*\.test\.ts$)/,
    to: /^sim\/pkg\//,
    allow: null,
    allowTypeOnly: /^sim\/pkg\//,
    typeOnlyFrom: /^sim\//,
  },
  {
    why: 'state must run without a page',
    from: /^state\//,
    to: /\.svelte$/,
    allow: null,
    allowTypeOnly: null,
  },
  {
    why: 'd3 does arithmetic in one helper and drawing in the view; nothing else depends on it',
    from: /^(?!lib\/scale\.(test\.)?ts$|view\/)/,
    to: /^npm:d3(-|$)/,
    allow: null,
    allowTypeOnly: null,
  },
  {
    why: 'the whole of d3 is three times the modules that are used',
    from: /^/,
    to: /^npm:d3$/,
    allow: null,
    allowTypeOnly: null,
  },
];

/**
 * Part of a run, a folder of sim-core/engine/src → parts that it may name. The kernel's sequences are methods of the run,
 * `Sim`. The other parts may not name it, for it leads to the kernel.
 */
const engineRooms = {
  clockwork: [],
  hardware: ['clockwork'],
  ledger: [],
  kernel: ['clockwork', 'hardware', 'ledger', 'Sim'],
};

// Debt: imports that break a rule above and are to be corrected, as 'file -> target'. Each has a comment that says
// what must happen first. An entry that is no longer needed is an error.
const debt = [];

const engine = 'sim-core/engine/src';

/** Folders in the tables that no longer exist: a rule about nothing would look like one that holds. */
const emptyRooms = () =>
  [
    ...Object.keys(webLayers).map((room) => `web/src/${room}`),
    ...Object.keys(engineRooms).map((room) => `${engine}/${room}`),
  ]
    .filter((room) => !existsSync(inRoot(room)))
    .map((id) => ({ id, why: 'stands in the tables and is no folder' }));

const checkEngine = () => [
  ...circlesOf(engineRooms).map((id) => ({ id, why: 'the table lets it reach itself' })),
  ...filesUnder([engine])
    .filter((file) => file.endsWith('.rs'))
    .flatMap((file) =>
      engineProblems(
        file.slice(engine.length + 1),
        readFileSync(inRoot(file), 'utf8'),
        engineRooms,
      ),
    ),
];

function checkWeb() {
  const files = filesUnder(
    ['web/src'],
    (file) => file === 'web/src/sim/pkg' || file === 'web/src/sim/types',
  ).filter((file) => /\.(ts|svelte)$/.test(file));
  return files.flatMap((file) =>
    webProblems(file.slice('web/src/'.length), readFileSync(inRoot(file), 'utf8'), {
      layers: webLayers,
      rules: webRules,
      isComponent: (target) =>
        target.endsWith('.svelte') && existsSync(inRoot('web', 'src', target)),
    }),
  );
}

await runIfEntry(import.meta.url, () => {
  const found = [...checkWeb(), ...checkEngine(), ...emptyRooms()];
  const unused = debt.filter((entry) => !found.some((problem) => problem.id === entry));
  const problems = found.filter((problem) => !debt.includes(problem.id));
  for (const { id, why } of problems) console.error(`  ${id}: ${why}`);
  for (const entry of unused) console.error(`  ${entry}: paid, remove it from the debt`);
  const sum = problems.length + unused.length;
  if (sum > 0) throw new Failure(`${sum} forbidden imports (the rules: scripts/check-imports.mjs)`);
  note(`imports follow the rules (${debt.length} in debt)`);
});
