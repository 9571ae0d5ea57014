// The inputs of each build. If a file is missing here, its changes do not reach the build.
import { filesUnder, hashFiles } from './stamp.mjs';

const isTest = (file) => /(\.test\.ts|\/__snapshots__)$/.test(file);
/** READMEs of source folders, which no build or run depends on. */
export const isFolderReadme = (file) =>
  /^(sim-core|web)\/(.*\/)?src\/(.*\/)?README\.md$/.test(file);
const isGeneratedPackage = (file) => file === 'web/src/sim/pkg';
/** Files that the extraction of words leaves beside the catalogs. */
const isExtracted = (file) => /^web\/src\/locales\/(\.wuchale|data\.js)$/.test(file);

/** Inputs of the WebAssembly package, without the core's tests and fuzzers. */
export function wasmInputs() {
  return hashFiles(
    filesUnder(
      [
        'Cargo.toml',
        'Cargo.lock',
        '.cargo',
        'sim-core',
        'scenarios',
        'scripts/build-wasm.mjs',
        'scripts/lib/claims-data.mjs',
        'scripts/lib/lessons.mjs',
        'scripts/lib/load-wasm.mjs',
        'package-lock.json',
      ],
      (file) =>
        isFolderReadme(file) ||
        file === 'sim-core/tests' ||
        file === 'sim-core/run/tests' ||
        file === 'sim-core/cli' ||
        file === 'sim-core/host' ||
        file === 'sim-core/python' ||
        file === 'sim-core/bench' ||
        file === 'sim-core/fuzz' ||
        file.endsWith('/proptest-regressions'),
    ),
  );
}

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
        'LICENSE',
        'package.json',
        'package-lock.json',
        ...MANUAL,
      ],
      (file) =>
        isTest(file) || isFolderReadme(file) || isGeneratedPackage(file) || isExtracted(file),
    ),
    wasmHash,
  );
}
