// Builds the WebAssembly packages: the simulation, which the page and the digest comparison load, the judge of the
// published claims, and lessons, with the data of both; for `npm run measure bench` the simulation with its benchmarks.
//   node scripts/build-wasm.mjs [--force] [--no-setup]
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { claimsData } from './lib/claims-data.mjs';
import { runIfEntry } from './lib/entry.mjs';
import { allLessons, languagesOf } from './lib/lessons.mjs';
import { loadLessons } from './lib/load-wasm.mjs';
import { withLock } from './lib/lock.mjs';
import { Failure, heading, note } from './lib/log.mjs';
import { wasmInputs } from './lib/inputs.mjs';
import {
  benchPackage,
  inRoot,
  judgeCrate,
  judgeName,
  lessonsCrate,
  lessonsName,
  packageName,
  wasmCrate,
  wasmPackage,
} from './lib/paths.mjs';
import { cargoLocked, mustRun, which } from './lib/run.mjs';
import { setUp } from './setup.mjs';
import { isFresh, writeStamp } from './lib/stamp.mjs';
import { whileWaiting } from './lib/waiting.mjs';

/** Duration with all that it needs, on two cores. */
export const BUILD_WASM = { what: 'the WebAssembly build', seconds: 90, stage: 2 };

function needWasmOpt() {
  if (!which('wasm-opt')) {
    // wasm-pack would try a download, which fails in many networks.
    throw new Failure('wasm-opt is missing; it comes with the npm packages. Type: npm ci');
  }
}

/** Built for size, as no hot code is in it. Inlining happens only where it makes the code smaller. */
const small = (optLevel, inlined) => ({
  profile: ['--release'],
  env: { CARGO_PROFILE_RELEASE_OPT_LEVEL: optLevel },
  flags: [`-C llvm-args=-inline-threshold=${inlined}`],
});

/** The same, but a little faster for code that runs for every event; Cargo.toml says in which crates that is. */
const lessonsSmall = { ...small('z', 20), profile: ['--profile', 'lessons'], env: {} };

/** Built for speed in the code where a run spends its time; Cargo.toml says in which crates that is. */
const fast = { profile: ['--profile', 'wasm'], env: {}, flags: [] };

async function pack(crate, name, folder, { profile, env, flags }, options = []) {
  needWasmOpt();
  // In a separate folder: wasm-pack optimises every package in a folder, each time in the way of the last one.
  const own = inRoot('.cache', 'pack', name);
  rmSync(own, { recursive: true, force: true });
  const forCargo = [...cargoLocked(), ...options];
  await mustRun(
    [
      ...['wasm-pack', 'build', crate, '--target', 'web', ...profile, '--no-pack'],
      // The page imports this name, whatever the name of the crate.
      ...['--out-name', name, '--out-dir', own],
      ...(forCargo.length ? ['--', ...forCargo] : []),
    ],
    {
      what: 'The WebAssembly build',
      env: {
        ...env,
        // Four lanes of 10,000 threads take a third of this memory. Beyond the limit only the run ends, not the
        // browser.
        CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: [
          `-C link-arg=--max-memory=${2 ** 30}`,
          ...flags,
        ].join(' '),
      },
    },
  );
  cpSync(own, folder, { recursive: true });
}

/** Builds packages in a folder if they are missing or older than their inputs. Returns the hash of the inputs. */
async function buildOnce(stamp, folder, force, build) {
  return withLock('wasm', async () => {
    const hash = wasmInputs();
    if (!force && isFresh(stamp, hash, folder)) {
      note('WebAssembly: up to date');
      return hash;
    }
    heading('WebAssembly build (about a minute the first time)');
    await whileWaiting(BUILD_WASM.what, BUILD_WASM.seconds, build);
    // This build may have written Cargo.lock, so the stamp is of its present content.
    const built = wasmInputs();
    writeStamp(stamp, built, folder);
    return built;
  });
}

/** Writes the lessons and, for each language, the data for lists, which the page reads without the package. */
async function writeLessons() {
  const text = allLessons();
  writeFileSync(path.join(wasmPackage, 'lessons.json'), text);
  const core = await loadLessons();
  core.provideLessons(text);
  for (const language of languagesOf(text))
    writeFileSync(path.join(wasmPackage, `lessons-${language}.json`), core.lessons(language));
}

/** Builds the page's packages into one folder, unless they are up to date. Returns the hash of their inputs. */
export async function buildWasm({ force = false } = {}) {
  return buildOnce('wasm', wasmPackage, force, async () => {
    await pack(wasmCrate, packageName, wasmPackage, fast);
    await pack(judgeCrate, judgeName, wasmPackage, small('z', 5));
    writeFileSync(path.join(wasmPackage, 'claims.json'), claimsData());
    await pack(lessonsCrate, lessonsName, wasmPackage, lessonsSmall);
    await writeLessons();
  });
}

/** The same simulation with its benchmarks. */
export async function buildBenchWasm() {
  return buildOnce('bench-wasm', benchPackage, false, () =>
    pack(wasmCrate, packageName, benchPackage, fast, ['--features', 'bench']),
  );
}

await runIfEntry(import.meta.url, async (args) => {
  if (!args.includes('--no-setup')) await setUp();
  await buildWasm({ force: args.includes('--force') });
});
