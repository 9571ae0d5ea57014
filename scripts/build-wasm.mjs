// Builds the WebAssembly package of the core, which the page and the scripts load; for `npm run measure bench` also the same
// with its benchmarks.
//   node scripts/build-wasm.mjs [--force] [--no-setup]
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LANGUAGES } from '../web/i18n/languages.js';
import { runIfEntry } from './lib/entry.mjs';
import { loadWasm } from './lib/load-wasm.mjs';
import { withLock } from './lib/lock.mjs';
import { Failure, heading, note } from './lib/log.mjs';
import { wasmInputs } from './lib/inputs.mjs';
import { compileCore, packCore } from './lib/packer.mjs';
import { benchPackage, inRoot, packageName, policyPackage, wasmPackage } from './lib/paths.mjs';
import { setUp } from './setup.mjs';
import { isFresh, writeStamp } from './lib/stamp.mjs';
import { waiting, whileWaiting } from './lib/waiting.mjs';

/**
 * How well a package is built, the worse first, and by which profile; the better one serves as well. `quick` is for
 * `npm run dev`: compiled soon, slow in long runs. `first` is for the first page of `npm start`.
 */
const PROFILES = { quick: 'wasm-dev', first: 'wasm-first', full: 'wasm' };
const QUALITIES = Object.keys(PROFILES);
const profileOf = (quality) => PROFILES[quality];

const COMPILE = { what: 'compiling the core', seconds: 60, stage: 1 };
const PACK = { what: 'packing the core', seconds: 5, stage: 2 };

/** Whether the package in a folder is built from inputs with this hash, at least this well. */
const isBuilt = (name, hash, folder, quality) =>
  QUALITIES.slice(QUALITIES.indexOf(quality)).some((one) =>
    isFresh(name, `${one} ${hash}`, folder),
  );

/** Whether the page's package has to be built. */
export const isWasmStale = (quality = 'full') =>
  !isBuilt('wasm', wasmInputs(), wasmPackage, quality);

/** Announces the duration of a build, before set-up begins. */
export function planWasm() {
  for (const { what, seconds, stage } of [COMPILE, PACK]) waiting.plan(what, seconds, stage);
}

/** The longest part of a build, which needs only the compiler: it may run while set-up installs the rest. */
export async function compileAhead(quality = 'full') {
  if (isWasmStale(quality))
    await whileWaiting(COMPILE.what, COMPILE.seconds, () => compileCore(profileOf(quality)));
}

/** Writes the lists of lessons and exercises, which the page reads before the core is there. */
async function writeLists(folder) {
  const core = await loadWasm(folder);
  for (const language of ['en', ...Object.keys(LANGUAGES)]) {
    writeFileSync(path.join(folder, `lessons-${language}.json`), core.lessons(language));
    writeFileSync(path.join(folder, `exercises-${language}.json`), core.exercises(language));
  }
}

/** Compiles what the first change in `npm run dev` would wait for, as the package may be a better one. */
export const compileForChanges = () => compileCore(profileOf('quick'));

/** Packs into a separate folder first, so that what is loaded meanwhile is never half a package. */
async function pack(name, folder, quality, features) {
  const profile = profileOf(quality);
  await whileWaiting(COMPILE.what, COMPILE.seconds, () => compileCore(profile, features));
  const own = inRoot('.cache', 'pack', name);
  rmSync(own, { recursive: true, force: true });
  await whileWaiting(PACK.what, PACK.seconds, () => packCore(profile, own, features));
  await writeLists(own);
  rmSync(folder, { recursive: true, force: true });
  cpSync(own, folder, { recursive: true });
}

/**
 * Builds a package in a folder if it is missing, older than its inputs, or of a worse quality. Returns the hash of the
 * inputs.
 */
async function buildOnce(name, folder, { force, quality, features }) {
  return withLock('wasm', async () => {
    // Taken before the build, as files may change during it.
    const hash = wasmInputs();
    if (!force && isBuilt(name, hash, folder, quality)) {
      note('WebAssembly: up to date');
      for (const { what } of [COMPILE, PACK]) waiting.end(what);
      return hash;
    }
    heading('WebAssembly build');
    await pack(name, folder, quality, features);
    writeStamp(name, `${quality} ${hash}`, folder);
    return hash;
  });
}

/** Builds the page's package, unless it is up to date. Returns the hash of its inputs. */
export const buildWasm = ({ force = false, quality = 'full' } = {}) =>
  buildOnce('wasm', wasmPackage, { force, quality });

/** The same with its benchmarks. */
export const buildBenchWasm = () =>
  buildOnce('bench-wasm', benchPackage, { quality: 'full', features: ['bench'] });

/**
 * The same with own policies, whose language takes longer to compile than all the rest. Workers of the page run it by the
 * bindings of the other package, so both must be the same.
 */
export async function buildPolicyWasm() {
  await buildOnce('policy-wasm', policyPackage, { quality: 'full', features: ['policy'] });
  const [one, other] = [wasmPackage, policyPackage].map((folder) =>
    readFileSync(path.join(folder, `${packageName}.js`), 'utf8'),
  );
  if (one !== other) throw new Failure('The package with own policies has other bindings.');
}

await runIfEntry(import.meta.url, async (args) => {
  if (!args.includes('--no-setup')) await setUp({ beside: compileAhead });
  await buildWasm({ force: args.includes('--force') });
});
