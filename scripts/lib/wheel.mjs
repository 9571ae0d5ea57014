// The wheel of the Python package: building it, what must be in it, installing it.
import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './log.mjs';
import { dist, inRoot } from './paths.mjs';
import { cargoLocked, mustRun, patiently, run } from './run.mjs';
import { environment, inEnvironment } from './setup-python.mjs';

export const crate = inRoot('sim-core', 'python');
const python = () => inEnvironment('python');
/** The page where maturin takes it along; no part of the repository. */
const page = path.join(crate, 'timeslice', 'page.xz');

/** What a released wheel may have, in bytes. */
const LIMIT = 2_500_000;

const WANTED = [
  /^timeslice\/_core\.(abi3\.so|pyd)$/,
  /^timeslice\/_core\.pyi$/,
  /^timeslice\/py\.typed$/,
  /^timeslice\/campaign\/__init__\.py$/,
  /^timeslice\/widget\.js$/,
  /^timeslice-[^/]+\.dist-info\/licenses\/LICENSE$/,
];
const PAGE = /^timeslice\/page\.xz$/;

/** What is wrong with a wheel, a sentence each; with the page in it if it is to be. */
export async function wheelProblems(wheel, { withPage }) {
  const list = 'import sys, zipfile; print("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))';
  const { stdout } = await run([python(), '-c', list, wheel]);
  const names = stdout.trim().split(/\r?\n/);
  const missing = [...WANTED, ...(withPage ? [PAGE] : [])].filter(
    (wanted) => !names.some((name) => wanted.test(name)),
  );
  const problems = missing.map((wanted) => `The wheel has no file like ${wanted.source}.`);
  const licence = (...where) => readFileSync(inRoot(...where, 'LICENSE'), 'utf8');
  if (licence('sim-core', 'python') !== licence())
    problems.push('The licence of the package is not that of the repository.');
  return problems;
}

/** Why a wheel may not be released for its size, or undefined. */
export function sizeProblem(wheel) {
  const { size } = statSync(wheel);
  if (size <= LIMIT) return undefined;
  return `The wheel has ${(size / 1e6).toFixed(2)} MB; it may have ${LIMIT / 1e6} MB.`;
}

/** Builds the package, with the page of dist in it if it is to be; resolves to the path of its wheel. */
export async function buildWheel(profile, folder, { withPage }) {
  rmSync(folder, { recursive: true, force: true });
  // What an earlier build left behind.
  rmSync(page, { force: true });
  try {
    if (withPage) {
      const pack = path.join(crate, 'timeslice', 'page.py');
      await mustRun([python(), pack, path.join(dist, 'timeslice.html'), page]);
    }
    const { code, output } = await patiently(
      `building the Python package (${profile})`,
      [
        ...[inEnvironment('maturin'), 'build', '--profile', profile, '--out', folder],
        ...['--manifest-path', path.join(crate, 'Cargo.toml'), ...cargoLocked()],
      ],
      { env: { VIRTUAL_ENV: environment }, seconds: profile === 'ci' ? 40 : 200 },
    );
    if (code !== 0) throw new Failure(`${output}\nThe Python package could not be built.`);
  } finally {
    rmSync(page, { force: true });
  }
  const [name] = readdirSync(folder).filter((file) => file.endsWith('.whl'));
  return path.join(folder, name);
}

/** Puts a wheel into the environment. */
export const installWheel = (wheel) =>
  mustRun([
    ...[python(), '-m', 'pip', 'install', '--quiet', '--no-deps', '--no-compile'],
    ...['--force-reinstall', '--disable-pip-version-check', '--no-index', wheel],
  ]);
