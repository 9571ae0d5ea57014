// The command line and the benchmarks as native programs.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure, note } from './log.mjs';
import { inRoot, windows } from './paths.mjs';
import { cargoLocked, run } from './run.mjs';

const targetFolder = () => process.env.CARGO_TARGET_DIR ?? inRoot('target');

/**
 * The command that runs `timeslice` with every check of a debug build. After the Rust tests it is the program that they
 * built, named by TIMESLICE_PROGRAM: cargo would compile nearly everything again, because the libraries of tests switch on
 * features of libraries that both have.
 */
export function timeslice(...args) {
  const program = process.env.TIMESLICE_PROGRAM;
  if (program) return [program, ...args];
  const cargo = ['cargo', 'run', '--quiet', '--profile', 'ci', ...cargoLocked()];
  return [...cargo, '-p', 'timeslice', '--', ...args];
}

/** From now on, here and in what is started from here, `timeslice` is what the Rust tests have built. */
export function useTestedProgram() {
  const program = path.join(targetFolder(), 'ci', windows ? 'timeslice.exe' : 'timeslice');
  if (existsSync(program)) process.env.TIMESLICE_PROGRAM = program;
}

/** Builds a package of the workspace as it is released; resolves to the path of its program. */
export async function buildReleased(name) {
  note(`${name}, release build …`);
  const { code, output } = await run([
    ...['cargo', 'build', '--quiet', '--release', ...cargoLocked(), '-p', name],
  ]);
  if (code !== 0) throw new Failure(`${output}\nThe build of ${name} failed.`);
  return path.join(targetFolder(), 'release', windows ? `${name}.exe` : name);
}

async function answer(commandLine) {
  const { code, output, stdout } = await run(commandLine);
  if (code !== 0) throw new Failure(output.trim());
  return stdout.trim();
}

/** The command line: it offers all benchmarks and makes one of them once. */
export class CommandLine {
  constructor(binary) {
    this.binary = binary;
  }

  /** The benchmarks of those names, all if there are none; over so many simulated seconds, or each its own. */
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

/** The program that knows the benchmarks of the core and nothing else: built in a third of the time. */
export class BenchAlone {
  constructor(binary) {
    this.binary = binary;
  }

  async once({ name, simulatedSeconds }) {
    return JSON.parse(await answer([this.binary, name, String(simulatedSeconds)]));
  }
}
