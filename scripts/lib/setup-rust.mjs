// The Rust side of set-up: compiler, WebAssembly target, wasm-pack, wasm-bindgen.
import { existsSync, readFileSync } from 'node:fs';
import { Failure, note } from './log.mjs';
import { inRoot } from './paths.mjs';
import { ask, localTools, patiently, which } from './run.mjs';

const target = 'wasm32-unknown-unknown';

/** `1.95.0` as a number that can be compared. */
export function versionNumber(text) {
  const [major = 0, minor = 0, patch = 0] = text.split('.').map(Number);
  return major * 1_000_000 + minor * 1_000 + patch;
}

/** The `rust-version` that the workspace asks for. */
function wantedRust() {
  const manifest = readFileSync(inRoot('Cargo.toml'), 'utf8');
  return /^rust-version\s*=\s*"([\d.]+)"/m.exec(manifest)?.[1] ?? '1.85';
}

export function checkRust() {
  const found = which('cargo') && ask('rustc', ['--version']);
  if (!found) {
    throw new Failure(
      'Rust is missing. Install it with rustup (see rustup.rs; one command, no root needed),\n' +
        'open a new terminal, and run this again.',
    );
  }
  const version = /^rustc ([\d.]+)/.exec(found)?.[1] ?? '0';
  if (versionNumber(version) < versionNumber(wantedRust())) {
    throw new Failure(
      `Rust ${version} is too old, ${wantedRust()} or newer is needed. Type: rustup update stable`,
    );
  }
  return version;
}

function hasTarget() {
  const folder = ask('rustc', ['--print', 'target-libdir', '--target', target]);
  return folder !== undefined && existsSync(folder);
}

async function ensureTarget() {
  if (hasTarget()) return;
  const byHand =
    `Type: rustup target add ${target}\n` +
    '(with a Rust from a distribution: install its package of the wasm32 standard library)';
  if (!which('rustup')) {
    throw new Failure(
      `Rust's ${target} library is missing and there is no rustup to add it.\n${byHand}`,
    );
  }
  const { code, output } = await patiently(`adding Rust's ${target} library, about 10 s`, [
    'rustup',
    'target',
    'add',
    target,
  ]);
  if (code !== 0) throw new Failure(`${output}\nCould not add ${target}. ${byHand}`);
}

async function ensureWasmPack() {
  if (which('wasm-pack')) return;
  const install = ['cargo', 'install', 'wasm-pack', '--locked'];
  const { code, output } = await patiently('compiling wasm-pack, about 80 s on 2 cores', install);
  if (code !== 0) {
    throw new Failure(`${output}\nCould not install wasm-pack. Type: ${install.join(' ')}`);
  }
}

/** The version of wasm-bindgen that Cargo.lock pins; its command-line tool must be the same one. */
export function lockedWasmBindgen(lock) {
  return /name = "wasm-bindgen"\nversion = "([^"]+)"/.exec(lock.replaceAll('\r', ''))?.[1];
}

async function ensureWasmBindgen() {
  const lockFile = inRoot('Cargo.lock');
  const version = existsSync(lockFile) && lockedWasmBindgen(readFileSync(lockFile, 'utf8'));
  // Without a lock file, wasm-pack finds out the version and builds the tool itself.
  if (!version) return;
  const installed = which('wasm-bindgen') && ask('wasm-bindgen', ['--version']);
  if (installed?.split(' ')[1] === version) return;

  const install = ['cargo', 'install', 'wasm-bindgen-cli', '--version', `=${version}`];
  // Another project may need the version that is already there: leave that one alone.
  if (installed) install.push('--root', localTools);
  const what = `compiling wasm-bindgen ${version}, about 100 s on 2 cores`;
  const { code } = await patiently(what, [...install, '--locked']);
  if (code === 0) return;
  // Its own lock file may name a package version that the registry in use does not carry.
  note('the versions that wasm-bindgen pins cannot be had here; letting cargo choose');
  const second = await patiently(what, install);
  if (second.code !== 0) note('that failed too; wasm-pack will try in its own way');
}

/** rustfmt and clippy, which a minimal Rust does not have. For the checks only. */
export async function ensureLints() {
  const missing = ['fmt', 'clippy'].filter(
    (name) => ask('cargo', [name, '--version']) === undefined,
  );
  if (missing.length === 0) return;
  const add = ['rustup', 'component', 'add', 'rustfmt', 'clippy'];
  const { code, output } = which('rustup')
    ? await patiently('adding rustfmt and clippy, about 10 s', add)
    : { code: 1, output: '' };
  if (code !== 0) {
    throw new Failure(`${output}\ncargo ${missing.join(', ')} is missing. Type: ${add.join(' ')}`);
  }
}

/** Everything Rust. The two tools are compiled one after the other: together they only wait for a core. */
export async function setUpRust() {
  checkRust();
  await ensureTarget();
  await ensureWasmPack();
  await ensureWasmBindgen();
}
