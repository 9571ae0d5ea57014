// Makes the package of a compiled core: the bindings and the file that they load. wasm-pack does it where it is
// installed with the right wasm-bindgen; elsewhere our own program in scripts/pack, which compiles in a fifth of the
// time and writes the same bytes. wasm-opt is not used: compressed, what it writes is 4 % larger, and no faster.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './log.mjs';
import { targetFolder } from './native.mjs';
import { inRoot, packageName, wasmCrate, windows } from './paths.mjs';
import { ask, cargoLocked, mustRun, patiently, run, which } from './run.mjs';
import { isCargoOutput } from './inputs.mjs';
import { filesUnder, hashFiles, isFresh, writeStamp } from './stamp.mjs';

const WASM = 'wasm32-unknown-unknown';

/** The version of wasm-bindgen in Cargo.lock; the program that writes the bindings must have the same one. */
export function lockedWasmBindgen(lock) {
  return /name = "wasm-bindgen"\nversion = "([^"]+)"/.exec(lock.replaceAll('\r', ''))?.[1];
}

/** The version of an installed program, or undefined. */
export const installed = (name) => (which(name) && ask(name, ['--version']))?.split(' ')[1];

export const hasWasmPack = () =>
  installed('wasm-pack') !== undefined &&
  installed('wasm-bindgen') === lockedWasmBindgen(readFileSync(inRoot('Cargo.lock'), 'utf8'));

/** The core's flags for WebAssembly, whoever calls cargo: with others, cargo would compile everything again. */
const environment = {
  // The language of own policies has a test library in its tree that could ask for random numbers; nothing calls it.
  // Four lanes of 10,000 threads take a third of this memory. Beyond the limit only the run ends, not the browser.
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: `-C link-arg=--max-memory=${2 ** 30} --cfg getrandom_backend="unsupported"`,
};

/** Compiles the core in a profile. What the compiler says is the cause of a failure. */
export async function compileCore(profile, features = []) {
  const { code, output } = await run(
    [
      ...['cargo', 'build', '--lib', '-p', 'sim-wasm', '--target', WASM, '--profile', profile],
      ...[...features.flatMap((feature) => ['--features', feature]), ...cargoLocked()],
    ],
    { env: environment, show: true },
  );
  if (code !== 0) throw new Failure('The core does not compile.', { cause: output });
}

const folder = () => path.join(targetFolder(), 'pack');
const program = () =>
  path.join(folder(), 'debug', windows ? 'timeslice-pack.exe' : 'timeslice-pack');

const packerInputs = () =>
  hashFiles(filesUnder(['scripts/pack'], isCargoOutput), ask('rustc', ['--version']));
const isPackerThere = () => hasWasmPack() || isFresh('packer', packerInputs(), program());

/** 70 processor seconds, of which two cores share most. */
const COMPILE = { what: 'compiling the packer', seconds: 45, stage: 1 };

/** Work to announce to the user who waits. */
export const plannedPacker = () => (isPackerThere() ? [] : [COMPILE]);

/** Compiles our program, where wasm-pack is not installed. */
export async function ensurePacker() {
  if (isPackerThere()) return;
  const hash = packerInputs();
  const manifest = ['--manifest-path', inRoot('scripts', 'pack', 'Cargo.toml')];
  const { code, output } = await patiently(
    COMPILE.what,
    ['cargo', 'build', ...manifest, '--target-dir', folder(), '--locked'],
    COMPILE,
  );
  if (code !== 0) throw new Failure(`${output}\nCould not compile scripts/pack.`);
  writeStamp('packer', hash, program());
}

/** Packs the compiled core into a folder. */
export async function packCore(profile, out, features = []) {
  await bind(profile, out, features);
  const file = path.join(out, `${packageName}_bg.wasm`);
  writeFileSync(file, withoutNames(readFileSync(file)));
}

async function bind(profile, out, features) {
  const what = 'Packing the core';
  if (hasWasmPack()) {
    const forCargo = [...features.flatMap((name) => ['--features', name]), ...cargoLocked()];
    await mustRun(
      [
        ...['wasm-pack', 'build', wasmCrate, '--target', 'web', '--profile', profile, '--no-pack'],
        // The page imports this name, whatever the name of the crate.
        ...['--no-opt', '--out-name', packageName, '--out-dir', out],
        ...(forCargo.length ? ['--', ...forCargo] : []),
      ],
      { what, env: environment },
    );
    return;
  }
  await ensurePacker();
  const core = path.join(targetFolder(), WASM, profile);
  await mustRun([program(), path.join(core, `${packageName}.wasm`), out, packageName], { what });
}

/** A WebAssembly file without the names of its functions, which only debuggers read. */
export function withoutNames(bytes) {
  const number = (at) => {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      shift += 7;
      if (byte < 128) return [value, at];
    }
  };
  const kept = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length;) {
    const [size, body] = number(at + 1);
    const [length, text] = number(body);
    const isNames = bytes[at] === 0 && bytes.toString('latin1', text, text + length) === 'name';
    if (!isNames) kept.push(bytes.subarray(at, body + size));
    at = body + size;
  }
  return Buffer.concat(kept);
}
