// Python with an environment of its own in `.cache/python`: what the package is built and tested with.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aptInstall } from './apt.mjs';
import { Failure, note } from './log.mjs';
import { cache, inRoot, windows } from './paths.mjs';
import { ask, patiently } from './run.mjs';
import { sha256 } from './prebuilt.mjs';

export const environment = path.join(cache, 'python');

/** The path of a program of the environment. */
export const inEnvironment = (name) =>
  path.join(environment, windows ? 'Scripts' : 'bin', windows ? `${name}.exe` : name);

export const requirements = inRoot('sim-core', 'python', 'requirements.txt');
const ended = path.join(environment, 'installed');

/** The package itself works from 3.10 on; some of what tests it does not. */
const LEAST = [3, 11];
const ASK = `import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2])`;

/** A Python that is new enough and can make environments, or undefined. */
function find() {
  const names = [process.env.TIMESLICE_PYTHON, 'python3', 'python'].filter(Boolean);
  return names.find((name) => {
    const [major, minor] = (ask(name, ['-c', ASK]) ?? '0.0').split('.').map(Number);
    return major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1]);
  });
}

/** Makes the environment as requirements.txt says. Resolves to the reason why not, or to undefined when it is there. */
export async function setUpPython() {
  const wanted = sha256(readFileSync(requirements));
  if (existsSync(ended) && readFileSync(ended, 'utf8') === wanted) return undefined;
  let python = find();
  if (!python) {
    const why = await aptInstall(['python3', 'python3-venv'], 30);
    python = find();
    if (!python) {
      return `there is no Python from ${LEAST.join('.')} on with venv, and ${why ?? 'the one that apt-get installs is older'}`;
    }
  }
  rmSync(environment, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const steps = [
    ['making a Python environment', [python, '-m', 'venv', environment], 10],
    [
      'installing what the Python package is tested with',
      [
        ...[inEnvironment('python'), '-m', 'pip', 'install', '--quiet', '--no-compile'],
        ...['--disable-pip-version-check', '--no-input', '--require-hashes', '-r', requirements],
      ],
      60,
    ],
  ];
  for (const [what, commandLine, seconds] of steps) {
    const { code, output } = await patiently(what, commandLine, { seconds });
    if (code !== 0) throw new Failure(`${output}\n${what} failed.`);
  }
  writeFileSync(ended, wanted);
  return undefined;
}

/** Pins anew what requirements.in names, with checksums and without the address that they came from. */
export async function pin() {
  const tool = path.join(cache, 'pip-tools');
  const python = find();
  if (!python) throw new Failure(`There is no Python from ${LEAST.join('.')} on.`);
  const program = path.join(tool, windows ? 'Scripts/pip-compile.exe' : 'bin/pip-compile');
  const folder = path.dirname(requirements);
  const steps = [
    [python, '-m', 'venv', tool],
    [path.join(path.dirname(program), 'pip'), 'install', '--quiet', 'pip-tools'],
    [
      ...[program, '--quiet', '--upgrade', '--generate-hashes', '--allow-unsafe', '--strip-extras'],
      ...['--no-header', '--no-annotate', '--no-emit-index-url', '--no-emit-trusted-host'],
      ...['--no-emit-find-links', '-o', requirements, path.join(folder, 'requirements.in')],
    ],
  ];
  for (const commandLine of steps) {
    const { code, output } = await patiently(commandLine.join(' '), commandLine);
    if (code !== 0) throw new Failure(output);
  }
  note('requirements.txt is renewed; npm run python installs it');
}
