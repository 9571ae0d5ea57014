// The command line and the benchmarks as native programs.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure, note } from './log.mjs';
import { inRoot, windows } from './paths.mjs';
import { cargoLocked, run } from './run.mjs';

export const targetFolder = () => process.env.CARGO_TARGET_DIR ?? inRoot('target');

/** Where the Rust tests build `timeslice`. */
export const testedProgram = () =>
  path.join(targetFolder(), 'ci', windows ? 'timeslice.exe' : 'timeslice');

/**
 * The command that runs `timeslice` with every check of a debug build. After the Rust tests it is the program that
 * they built, named by TIMESLICE_PROGRAM. Otherwise cargo would compile nearly everything again, as the tests'
 * libraries switch on features of common libraries.
 */
export function timeslice(...args) {
  const program = process.env.TIMESLICE_PROGRAM;
  if (program && existsSync(program)) return [program, ...args];
  const cargo = ['cargo', 'run', '--quiet', '--profile', 'ci', ...cargoLocked()];
  const here = ['--manifest-path', inRoot('Cargo.toml')];
  return [...cargo, ...here, '-p', 'timeslice', '--', ...args];
}

/**
 * Flags of released programs: LLVM inlines functions of up to 1000 units (its own limit is 225), because an event goes
 * through hundreds of small functions. Runs are 2 to 30 % faster for it, and compiling takes half as long again: so
 * tests and WebAssembly keep LLVM's limit.
 */
export const RELEASE_FLAGS = '-Cllvm-args=-inline-threshold=1000';

/**
 * The environment in which cargo builds with these flags, whatever the shell has. Where CARGO_ENCODED_RUSTFLAGS is set,
 * even empty, cargo reads no others, so it must be absent.
 */
export const withFlags = (...flags) => ({
  RUSTFLAGS: flags.filter(Boolean).join(' '),
  CARGO_ENCODED_RUSTFLAGS: undefined,
});

/** The environment in which cargo builds for release. Cargo keeps builds with other flags apart. */
export const releaseEnvironment = () => withFlags(process.env.RUSTFLAGS, RELEASE_FLAGS);

/** Builds a package of the workspace in the release profile, with features of its own; resolves to its path. */
export async function buildReleased(name, features = []) {
  note(`${name}, release build …`);
  const { code, output } = await run(
    [
      ...['cargo', 'build', '--quiet', '--release', ...cargoLocked(), '-p', name],
      ...(features.length > 0 ? ['--features', features.join(',')] : []),
    ],
    { env: releaseEnvironment() },
  );
  if (code !== 0) throw new Failure(`${output}\nThe build of ${name} failed.`);
  return path.join(targetFolder(), 'release', windows ? `${name}.exe` : name);
}

async function answer(commandLine) {
  const { code, output, stdout } = await run(commandLine);
  if (code !== 0) throw new Failure(output.trim());
  return stdout.trim();
}

/** The command line: it lists all benchmarks, and runs one of them once. */
export class CommandLine {
  constructor(binary) {
    this.binary = binary;
  }

  /** The benchmarks of those names, or all; each over its own number of simulated seconds, or over the given one. */
  async rows(names, seconds = 0) {
    const length = seconds > 0 ? ['--seconds', String(seconds)] : [];
    const list = await answer([this.binary, 'bench', ...names, '--list', '--json', ...length]);
    return list.split('\n').map((line) => JSON.parse(line));
  }

  async once({ name, kind, simulatedSeconds }) {
    const length = kind === 'gallery' ? [] : ['--seconds', String(simulatedSeconds)];
    const once = ['--json', '--repeat', '1'];
    return JSON.parse(await answer([this.binary, 'bench', name, ...once, ...length]))[0];
  }
}

/** The program that contains only the core's benchmarks: it is built in a third of the time. */
export class BenchAlone {
  constructor(binary) {
    this.binary = binary;
  }

  async once({ name, simulatedSeconds }) {
    return JSON.parse(await answer([this.binary, name, String(simulatedSeconds)]));
  }
}
