// Starts other programs. Uses only Node's own modules, as it runs before any package is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { inRoot, root, windows } from './paths.mjs';
import { Failure, duration, note, shownOn } from './log.mjs';
import { roughly, whileWaiting } from './waiting.mjs';

/** Tools that a release compiles only for this repository. */
export const localTools = inRoot('.cache', 'tools');

const pathKey = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';

/**
 * The folders in which programs are searched: our own tools, then npm's, then the user's PATH, then rustup's folder of
 * cargo. A shell that was opened before rustup was installed does not have the last one on its PATH.
 */
export function searchPath() {
  const cargoHome = process.env.CARGO_HOME ?? path.join(homedir(), '.cargo');
  return [
    path.join(localTools, 'bin'),
    inRoot('node_modules', '.bin'),
    ...(process.env[pathKey] ?? '').split(path.delimiter).filter(Boolean),
    path.join(cargoHome, 'bin'),
  ];
}

/** The environment for programs that we start. */
export function environment(extra = {}) {
  return { ...process.env, [pathKey]: searchPath().join(path.delimiter), ...extra };
}

/** The full path of a program, or undefined. */
export function which(name) {
  const endings = windows ? ['.exe', '.cmd', '.bat', ''] : [''];
  for (const folder of searchPath()) {
    for (const ending of endings) {
      const file = path.join(folder, name + ending);
      if (existsSync(file)) return file;
    }
  }
  return undefined;
}

/** The command line that runs a program of an installed npm package, the same on every system. */
export function npmProgram(packageName, program = packageName) {
  const folder = inRoot('node_modules', ...packageName.split('/'));
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = typeof bin === 'string' ? bin : bin[program];
  return [process.execPath, path.join(folder, file)];
}

/** The output of a program; undefined if it cannot be started or fails. Blocks; for quick questions. */
export function ask(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    env: environment(),
    encoding: 'utf8',
    timeout: 20_000,
    ...options,
  });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/**
 * Runs a program to its end and resolves to { code, output }; never rejects for a bad exit code. `show: true` also
 * passes its output on as it comes.
 */
export function run(
  [command, ...args],
  { env = {}, cwd = root, show = false, shell = false } = {},
) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      shell,
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let stdout = '';
    const take = (stream, isStdout) => (chunk) => {
      output += chunk;
      if (isStdout) stdout += chunk;
      if (show) stream.write(chunk);
    };
    child.stdout.setEncoding('utf8').on('data', take(shownOn(), true));
    child.stderr.setEncoding('utf8').on('data', take(process.stderr, false));
    child.on('error', (error) => resolve({ code: 127, output: output + String(error), stdout }));
    child.on('close', (code) => resolve({ code: code ?? 1, output, stdout }));
  });
}

/** Runs a program, passing its output on; a bad exit code is a Failure. */
export async function mustRun(commandLine, options = {}) {
  const { what = commandLine.join(' '), ...rest } = options;
  const result = await run(commandLine, { show: true, ...rest });
  if (result.code !== 0) throw new Failure(`${what} failed (exit code ${result.code}).`);
  return result;
}

/**
 * Runs a slow program quietly: says what it does and how long that takes, then every 15 s what is still running.
 * Keeps the output for a failure. Resolves to { code, output }.
 */
export async function patiently(what, commandLine, { seconds, ...options } = {}) {
  const begin = Date.now();
  note(`${what}${seconds ? `, ${roughly(seconds)}` : ''} …`);
  const result = await whileWaiting(what, seconds, () => run(commandLine, options));
  if (result.code === 0) note(`done in ${duration(Date.now() - begin)}: ${what}`);
  return result;
}

/** In CI, a Cargo.lock that does not fit Cargo.toml is an error and is not updated. */
export const cargoLocked = () =>
  process.env.CI && existsSync(inRoot('Cargo.lock')) ? ['--locked'] : [];
