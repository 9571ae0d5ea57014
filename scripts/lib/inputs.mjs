// The inputs of each build. If a file is missing here, its changes do not reach the build.
import { readFileSync } from 'node:fs';
import { TEXTS, reasonFiles } from '../../web/reasons.js';
import { inRoot } from './paths.mjs';
import { filesUnder, hashFiles } from './stamp.mjs';

const isTest = (file) => /(\.test\.ts|\/__snapshots__)$/.test(file);
/** What cargo leaves beside a manifest when somebody calls it there. */
export const isCargoOutput = (file) => /(^|\/)target$/.test(file) || file.includes('/target/');
/** READMEs of source folders, which no build or run depends on. */
export const isFolderReadme = (file) =>
  /^(sim-core|web)\/(.*\/)?src\/(.*\/)?README\.md$/.test(file);
const isGeneratedPackage = (file) => file === 'web/src/sim/pkg';
/** What the extraction of words leaves beside the catalogs, and the check of types in `web`. */
const isLeftByTools = (file) =>
  /^web\/(src\/locales\/(\.wuchale|data\.js)|\.svelte-check)$/.test(file);

/** Inputs of the WebAssembly package, without the core's tests and fuzzers. */
const WASM = [
  'Cargo.toml',
  'Cargo.lock',
  '.cargo',
  'sim-core',
  'scenarios',
  'scripts/build-wasm.mjs',
  'scripts/lib/load-wasm.mjs',
  'scripts/lib/packer.mjs',
  'scripts/pack',
  'web/i18n/languages.js',
  'package-lock.json',
];
const isNoWasm = (file) =>
  isCargoOutput(file) ||
  isFolderReadme(file) ||
  /^sim-core\/(tests|run\/tests|cli|host|python|bench|fuzz)(\/|$)/.test(file) ||
  /\/proptest-regressions(\/|$)/.test(file);

/** Whether the WebAssembly package depends on a file. */
export const isWasmInput = (file) =>
  WASM.some((start) => file === start || file.startsWith(`${start}/`)) && !isNoWasm(file);

/** What the core is made of in a file: of reasons all but the texts, so that a better sentence rebuilds no core. */
export function coreContent(file) {
  const content = readFileSync(inRoot(file));
  const withoutTexts = (key, value) => (TEXTS.includes(key) ? undefined : value);
  return file.endsWith('/reasons.json')
    ? JSON.stringify(JSON.parse(content), withoutTexts)
    : content;
}

export const wasmInputs = () => hashFiles(filesUnder(WASM, isNoWasm), '', coreContent);

/** Inputs of the manual besides those of the page. */
const MANUAL = [
  'docs',
  'scripts/lib/manual',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'sim-core/tests/conformance',
];

/** Inputs of the page; those of the package count through `wasmHash`. */
export function pageInputs(wasmHash) {
  return hashFiles(
    filesUnder(
      [
        'web',
        'public',
        'scenarios',
        'scripts/lib/notices.mjs',
        ...reasonFiles(),
        'LICENSE',
        'package.json',
        'package-lock.json',
        ...MANUAL,
      ],
      (file) =>
        isTest(file) || isFolderReadme(file) || isGeneratedPackage(file) || isLeftByTools(file),
    ),
    wasmHash,
  );
}
