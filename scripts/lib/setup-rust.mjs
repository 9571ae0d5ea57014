// The Rust part of set-up: compiler, WebAssembly target, the program that packs.
import { existsSync, readFileSync } from 'node:fs';
import { Failure } from './log.mjs';
import { ensurePacker, plannedPacker } from './packer.mjs';
import { inRoot } from './paths.mjs';
import { ask, patiently, which } from './run.mjs';

/** Waits for all works, so that none goes on alone after another one has failed. */
export async function all(...works) {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}

const target = 'wasm32-unknown-unknown';

/** `1.95.0` as a number for comparison. */
export function versionNumber(text) {
  const [major = 0, minor = 0, patch = 0] = text.split('.').map(Number);
  return major * 1_000_000 + minor * 1_000 + patch;
}

/** The `rust-version` of the workspace. */
function wantedRust() {
  const manifest = readFileSync(inRoot('Cargo.toml'), 'utf8');
  return /^rust-version\s*=\s*"([\d.]+)"/m.exec(manifest)?.[1] ?? '1.85';
}

export function checkRust() {
  const found = which('cargo') && ask('rustc', ['--version']);
  if (!found && which('rustup')) {
    throw new Failure(
      'The compiler that rust-toolchain.toml names is not installed. Type: rustup toolchain install',
    );
  }
  if (!found) {
    throw new Failure(
      'Rust is missing. Install it with rustup (see rustup.rs; one command, no root needed),\n' +
        'open a new terminal, and run this again.',
    );
  }
  const version = /^rustc ([\d.]+)/.exec(found)?.[1] ?? '0';
  if (versionNumber(version) < versionNumber(wantedRust())) {
    throw new Failure(
      `Rust ${version} is too old, ${wantedRust()} or newer is needed. Type: rustup toolchain install`,
    );
  }
  return version;
}

/** The compiler's default target, such as `x86_64-unknown-linux-gnu`. */
export const rustHost = () =>
  /^host: (.*)$/m.exec(ask('rustc', ['--version', '--verbose']) ?? '')?.[1];

function hasTarget() {
  const folder = ask('rustc', ['--print', 'target-libdir', '--target', target]);
  return folder !== undefined && existsSync(folder);
}

const ADD_TARGET = { what: `adding Rust's ${target} library`, seconds: 10, stage: 0 };

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
  const { code, output } = await patiently(
    ADD_TARGET.what,
    ['rustup', 'target', 'add', target],
    ADD_TARGET,
  );
  if (code !== 0) throw new Failure(`${output}\nCould not add ${target}. ${byHand}`);
}

/** Work to announce to the user who waits. */
export const plannedRust = () => [...(hasTarget() ? [] : [ADD_TARGET]), ...plannedPacker()];

/** rustfmt and clippy, which a minimal Rust does not have. Only for the checks. */
export async function ensureLints() {
  const missing = ['fmt', 'clippy'].filter(
    (name) => ask('cargo', [name, '--version']) === undefined,
  );
  if (missing.length === 0) return;
  const add = ['rustup', 'component', 'add', 'rustfmt', 'clippy'];
  const { code, output } = which('rustup')
    ? await patiently('adding rustfmt and clippy', add, { seconds: 10 })
    : { code: 1, output: '' };
  if (code !== 0) {
    throw new Failure(`${output}\ncargo ${missing.join(', ')} is missing. Type: ${add.join(' ')}`);
  }
}

/** All of the Rust part. `beside` is work that needs only the compiler; it shares the cores with the packer. */
export async function setUpRust(beside = () => undefined) {
  checkRust();
  await ensureTarget();
  await all(ensurePacker(), beside());
}
