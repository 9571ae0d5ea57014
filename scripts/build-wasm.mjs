// Builds the WebAssembly package, which the page and the digest comparison load, and the lists of lessons that it
// writes; for `npm run bench` the same package with its benchmarks.
//   node scripts/build-wasm.mjs [--force] [--no-setup]
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LANGUAGES } from '../web/i18n/languages.js';
import { runIfEntry } from './lib/entry.mjs';
import { loadWasm } from './lib/load-wasm.mjs';
import { withLock } from './lib/lock.mjs';
import { Failure, heading, note } from './lib/log.mjs';
import { wasmInputs } from './lib/inputs.mjs';
import { benchPackage, inRoot, packageName, wasmCrate, wasmPackage } from './lib/paths.mjs';
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

async function pack(folder, options = []) {
  needWasmOpt();
  // In a separate folder: wasm-pack optimises every package in a folder, each time in the way of the last one.
  const own = inRoot('.cache', 'pack', packageName);
  rmSync(own, { recursive: true, force: true });
  const forCargo = [...cargoLocked(), ...options];
  await mustRun(
    [
      ...['wasm-pack', 'build', wasmCrate, '--target', 'web', '--profile', 'wasm', '--no-pack'],
      ...['--out-name', packageName, '--out-dir', own],
      ...(forCargo.length ? ['--', ...forCargo] : []),
    ],
    {
      what: 'The WebAssembly build',
      env: {
        // Four lanes of 10,000 threads take a third of this memory. Beyond the limit only the run ends, not the
        // browser.
        CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: `-C link-arg=--max-memory=${2 ** 30}`,
      },
    },
  );
  cpSync(own, folder, { recursive: true });
}

/** Builds a package in a folder if it is missing or older than its inputs. Returns the hash of the inputs. */
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

/** Writes for each language the data for lists of lessons, which the page reads before the core is there. */
async function writeLessons() {
  const core = await loadWasm();
  for (const language of ['en', ...Object.keys(LANGUAGES)])
    writeFileSync(path.join(wasmPackage, `lessons-${language}.json`), core.lessons(language));
}

/** Builds the page's package, unless it is up to date. Returns the hash of its inputs. */
export async function buildWasm({ force = false } = {}) {
  return buildOnce('wasm', wasmPackage, force, async () => {
    await pack(wasmPackage);
    await writeLessons();
  });
}

/** The same package with its benchmarks. */
export async function buildBenchWasm() {
  return buildOnce('bench-wasm', benchPackage, false, () =>
    pack(benchPackage, ['--features', 'bench']),
  );
}

await runIfEntry(import.meta.url, async (args) => {
  if (!args.includes('--no-setup')) await setUp();
  await buildWasm({ force: args.includes('--force') });
});
