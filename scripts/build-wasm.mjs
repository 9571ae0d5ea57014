// Builds the WebAssembly packages: the simulation, which the page, the digest comparison and the benchmark all load, and
// the judge of the published claims.
//   node scripts/build-wasm.mjs [--force] [--no-setup]
import { runIfEntry } from './lib/entry.mjs';
import { withLock } from './lib/lock.mjs';
import { Failure, heading, note } from './lib/log.mjs';
import { wasmInputs } from './lib/inputs.mjs';
import { judgeCrate, judgeName, packageName, wasmCrate, wasmPackage } from './lib/paths.mjs';
import { cargoLocked, mustRun, which } from './lib/run.mjs';
import { setUp } from './setup.mjs';
import { isFresh, writeStamp } from './lib/stamp.mjs';

async function wasmPack() {
  if (!which('wasm-opt')) {
    // wasm-pack would try a download of its own, which fails in many networks.
    throw new Failure('wasm-opt is missing; it comes with the npm packages. Type: npm ci');
  }
  await pack(wasmCrate, packageName);
  await pack(judgeCrate, judgeName);
}

/** Both packages live in one folder, under their names. */
async function pack(crate, name) {
  const locked = cargoLocked();
  await mustRun(
    [
      ...['wasm-pack', 'build', crate, '--target', 'web', '--release', '--no-pack'],
      // The page imports this name, whatever the crate is called.
      ...['--out-name', name, '--out-dir', wasmPackage],
      ...(locked.length ? ['--', ...locked] : []),
    ],
    {
      what: 'The WebAssembly build',
      env: {
        // Level 2 runs as fast as 3 here and is a little smaller; "s" is a seventh smaller, but 40 % slower.
        CARGO_PROFILE_RELEASE_OPT_LEVEL: '2',
        // Four lanes of 10,000 threads take a third of it. Beyond, the run ends, and not the whole browser.
        CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: `-C link-arg=--max-memory=${2 ** 30}`,
      },
    },
  );
}

/** Builds the package unless it is up to date. Returns the hash of its inputs. */
export async function buildWasm({ force = false } = {}) {
  return withLock('wasm', async () => {
    const hash = wasmInputs();
    if (!force && isFresh('wasm', hash, wasmPackage)) {
      note('WebAssembly: up to date');
      return hash;
    }
    heading('WebAssembly build (about a minute the first time)');
    await wasmPack();
    // Cargo.lock may have been written by this very build: stamp what is there now.
    const built = wasmInputs();
    writeStamp('wasm', built, wasmPackage);
    return built;
  });
}

await runIfEntry(import.meta.url, async (args) => {
  if (!args.includes('--no-setup')) await setUp();
  await buildWasm({ force: args.includes('--force') });
});
