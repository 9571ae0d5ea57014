// Python with an environment in `.cache/python`, in which the package is built and tested.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aptInstall, mayInstall } from './apt.mjs';
import { Failure, note } from './log.mjs';
import { cache, inRoot, windows } from './paths.mjs';
import { ask, patiently } from './run.mjs';
import { sha256 } from './checksum.mjs';

export const environment = path.join(cache, 'python');

/** The path of a program of an environment. */
export const inEnvironment = (name, folder = environment) =>
  path.join(folder, windows ? 'Scripts' : 'bin', windows ? `${name}.exe` : name);

export const requirements = inRoot('sim-core', 'python', 'requirements.txt');

/** The package works from 3.10 on; some of its test tools need a newer one. */
const LEAST = [3, 11];
const SYSTEM_PACKAGES = ['python3', 'python3-venv'];
const ASK = `import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2])`;

/** A new enough Python that can make environments, or undefined. */
function find() {
  const names = [process.env.TIMESLICE_PYTHON, 'python3', 'python'].filter(Boolean);
  return names.find((name) => {
    const [major, minor] = (ask(name, ['-c', ASK]) ?? '0.0').split('.').map(Number);
    return major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1]);
  });
}

/**
 * Makes an environment from its requirements. Resolves to the reason for a failure, or to undefined on success.
 * Installs a Python if there is none, unless `system` is false.
 */
export async function makeEnvironment({ folder, requirements: file, what, system = true }) {
  const stamp = path.join(folder, 'installed');
  const wanted = sha256(readFileSync(file));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return undefined;
  let python = find();
  if (!python) {
    const why = system ? await aptInstall(SYSTEM_PACKAGES, 30) : 'none is installed for this';
    python = find();
    if (!python) {
      return `there is no Python from ${LEAST.join('.')} on with venv, and ${why ?? 'the one that apt-get installs is older'}`;
    }
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.dirname(folder), { recursive: true });
  const steps = [
    ['making a Python environment', [python, '-m', 'venv', folder], 10],
    [
      what,
      [
        ...[inEnvironment('python', folder), '-m', 'pip', 'install', '--quiet', '--no-compile'],
        ...['--disable-pip-version-check', '--no-input', '--require-hashes', '-r', file],
      ],
      60,
    ],
  ];
  for (const [name, commandLine, seconds] of steps) {
    const { code, output } = await patiently(name, commandLine, { seconds });
    if (code !== 0) throw new Failure(`${output}\n${name} failed.`);
  }
  writeFileSync(stamp, wanted);
  return undefined;
}

/** Asks in advance, if necessary, for scripts that cannot ask. */
export async function askForPython() {
  if (!find()) await mayInstall(SYSTEM_PACKAGES);
}

/** The environment for building and testing the package. */
export const setUpPython = () =>
  makeEnvironment({
    folder: environment,
    requirements,
    what: 'installing what the Python package is tested with',
  });

/** Pins again the packages of the requirements.in beside a file, with checksums and without their origin. */
export async function pin(file = requirements) {
  const tool = path.join(cache, 'pip-tools');
  const python = find();
  if (!python) throw new Failure(`There is no Python from ${LEAST.join('.')} on.`);
  const program = path.join(tool, windows ? 'Scripts/pip-compile.exe' : 'bin/pip-compile');
  const folder = path.dirname(file);
  const steps = [
    [python, '-m', 'venv', tool],
    [path.join(path.dirname(program), 'pip'), 'install', '--quiet', 'pip-tools'],
    [
      ...[program, '--quiet', '--upgrade', '--generate-hashes', '--allow-unsafe', '--strip-extras'],
      ...['--no-header', '--no-annotate', '--no-emit-index-url', '--no-emit-trusted-host'],
      ...['--no-emit-find-links', '-o', file, path.join(folder, 'requirements.in')],
    ],
  ];
  for (const commandLine of steps) {
    const { code, output } = await patiently(commandLine.join(' '), commandLine);
    if (code !== 0) throw new Failure(output);
  }
  note(`${path.relative(inRoot(), file)} is renewed`);
}
