// The Rust part of set-up: compiler, WebAssembly target, wasm-pack, wasm-bindgen.
import { existsSync, readFileSync } from 'node:fs';
import { Failure, note } from './log.mjs';
import { inRoot } from './paths.mjs';
import { readTools, takePrebuilt } from './prebuilt.mjs';
import { ask, localTools, patiently, which } from './run.mjs';
import { waiting } from './waiting.mjs';

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

/** The version of wasm-bindgen in Cargo.lock; its command-line tool must have the same one. */
export function lockedWasmBindgen(lock) {
  return /name = "wasm-bindgen"\nversion = "([^"]+)"/.exec(lock.replaceAll('\r', ''))?.[1];
}

/** The version of an installed program, or undefined. */
const installed = (name) => (which(name) && ask(name, ['--version']))?.split(' ')[1];

/**
 * The two programs that WebAssembly builds need: how to detect them, and how to compile them. Alone on two cores they
 * take 80 s and 105 s (measured); that each takes a third longer side by side is an assumption.
 */
const TOOLS = [
  {
    name: 'wasm-pack',
    // Any will do.
    isMissing: () => !which('wasm-pack'),
    seconds: 110,
    async compile(what, version) {
      const install = ['cargo', 'install', 'wasm-pack', '--version', `=${version}`, '--locked'];
      const { code, output } = await patiently(what, install, { seconds: this.seconds });
      if (code !== 0) {
        throw new Failure(`${output}\nCould not install wasm-pack. Type: ${install.join(' ')}`);
      }
    },
  },
  {
    name: 'wasm-bindgen',
    isMissing() {
      const lockFile = inRoot('Cargo.lock');
      const version = existsSync(lockFile) && lockedWasmBindgen(readFileSync(lockFile, 'utf8'));
      // Without a lock file, wasm-pack would look up the version and build the tool itself.
      return Boolean(version) && installed('wasm-bindgen') !== version;
    },
    seconds: 150,
    async compile(what, version) {
      const install = ['cargo', 'install', 'wasm-bindgen-cli', '--version', `=${version}`];
      // Another project may need the installed version, so it stays.
      if (installed('wasm-bindgen')) install.push('--root', localTools);
      const options = { seconds: this.seconds };
      const { code } = await patiently(what, [...install, '--locked'], options);
      if (code === 0) return;
      // Its own lock file may name a package version that the present registry does not have.
      note('the versions that wasm-bindgen pins cannot be had here; letting cargo choose');
      const second = await patiently(what, install, options);
      if (second.code !== 0) note('that failed too; wasm-pack will try in its own way');
    },
  },
];

const compiling = (name, version) => `compiling ${name} ${version}`;

/** Uses a prebuilt program if its checksum is known and it arrives soon; otherwise compiles it. */
async function ensureTool(tool) {
  if (!tool.isMissing()) return;
  const pinned = readTools()[tool.name];
  const reason = await takePrebuilt(tool.name, pinned);
  const what = compiling(tool.name, pinned.version);
  if (reason === undefined) {
    waiting.end(what);
    note(`${tool.name} ${pinned.version}: took the released program, its checksum is right`);
    return;
  }
  note(`${tool.name} ${pinned.version} is not taken as others built it: ${reason}`);
  await tool.compile(what, pinned.version);
}

/** Work to announce to the user who waits. */
export function plannedRust() {
  const pinned = readTools();
  const tools = TOOLS.filter((tool) => tool.isMissing()).map(({ name, seconds }) => ({
    what: compiling(name, pinned[name].version),
    seconds,
    stage: 1,
  }));
  return [...(hasTarget() ? [] : [ADD_TARGET]), ...tools];
}

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

/**
 * All of the Rust part. The two tools are installed side by side: while one links or waits for the registry, the
 * other goes on.
 */
export async function setUpRust() {
  checkRust();
  await ensureTarget();
  const results = await Promise.allSettled(TOOLS.map(ensureTool));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
