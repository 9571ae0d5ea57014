// The wheels of the Python package: the core, and the page for its widget. Builds them, checks their content,
// installs them.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './log.mjs';
import { releaseEnvironment } from './native.mjs';
import { NOTICES } from './notices.mjs';
import { dist, inRoot } from './paths.mjs';
import { cargoLocked, mustRun, patiently, run } from './run.mjs';
import { environment, inEnvironment } from './setup-python.mjs';

export const crate = inRoot('sim-core', 'python');
const pageProject = path.join(crate, 'page');
/** The page inside the wheel; it is not part of the repository. */
const page = path.join(pageProject, 'timeslice_page', 'page.xz');
/** The notices of the page, beside it. */
const notices = path.join(pageProject, 'timeslice_page', NOTICES);
const python = () => inEnvironment('python');

const LICENCE = /\.dist-info\/licenses\/LICENSE$/;
/** Required content of a wheel, by name of its package. */
const WANTED = {
  timeslice: [
    /^timeslice\/_core\.(abi3\.so|pyd)$/,
    /^timeslice\/_core\.pyi$/,
    /^timeslice\/__main__\.py$/,
    /\.dist-info\/entry_points\.txt$/,
    /^timeslice\/py\.typed$/,
    /^timeslice\/campaign\/__init__\.py$/,
    /^timeslice\/widget\.js$/,
    LICENCE,
  ],
  timeslice_page: [
    /^timeslice_page\/__init__\.py$/,
    /^timeslice_page\/page\.xz$/,
    /^timeslice_page\/NOTICES\.txt$/,
    LICENCE,
  ],
};

/** Missing and wrong content of wheels; a sentence each. */
export async function wheelProblems(wheels) {
  const list = 'import sys, zipfile; print("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))';
  const problems = [];
  const versions = new Set();
  for (const wheel of wheels) {
    const [name, version] = path.basename(wheel).split('-');
    versions.add(version);
    const { stdout } = await run([python(), '-c', list, wheel]);
    const files = stdout.trim().split(/\r?\n/);
    for (const wanted of WANTED[name]) {
      if (!files.some((file) => wanted.test(file)))
        problems.push(`The wheel of ${name} has no file like ${wanted.source}.`);
    }
  }
  if (versions.size > 1) problems.push(`The wheels have versions ${[...versions].join(' and ')}.`);
  const licence = (...where) => readFileSync(path.join(...where, 'LICENSE'), 'utf8');
  for (const project of [crate, pageProject]) {
    if (licence(project) !== licence(inRoot()))
      problems.push(`The licence of ${project} is not that of the repository.`);
  }
  return problems;
}

/** The wheel that a step writes into a folder. */
async function made(name, folder, work) {
  const its = new RegExp(`^${name}-.*\\.whl$`);
  const found = () =>
    readdirSync(folder)
      .filter((file) => its.test(file))
      .map((file) => path.join(folder, file));
  mkdirSync(folder, { recursive: true });
  for (const file of found()) rmSync(file);
  await work();
  return found()[0];
}

/** Builds the package; resolves to the path of its wheel. */
export const buildWheel = (profile, folder) =>
  made('timeslice', folder, async () => {
    const { code, output } = await patiently(
      `building the Python package (${profile})`,
      [
        ...[inEnvironment('maturin'), 'build', '--profile', profile, '--out', folder],
        ...['--manifest-path', path.join(crate, 'Cargo.toml'), ...cargoLocked()],
      ],
      {
        env: { VIRTUAL_ENV: environment, ...(profile === 'release' ? releaseEnvironment() : {}) },
        seconds: profile === 'ci' ? 40 : 250,
      },
    );
    if (code !== 0) throw new Failure(`${output}\nThe Python package could not be built.`);
  });

/** Packs the built page; resolves to the path of its wheel. */
export const buildPageWheel = (folder) =>
  made('timeslice_page', folder, async () => {
    const pack = path.join(crate, 'timeslice', 'page.py');
    try {
      await mustRun([python(), pack, path.join(dist, 'timeslice.html'), page]);
      copyFileSync(path.join(dist, NOTICES), notices);
      const { code, output } = await run([
        ...[python(), '-m', 'flit_core.wheel', '--outdir', folder, pageProject],
      ]);
      if (code !== 0) throw new Failure(`${output}\nThe page could not be packed.`);
    } finally {
      rmSync(page, { force: true });
      rmSync(notices, { force: true });
    }
  });

/** Puts wheels into the environment. */
export const installWheels = (wheels) =>
  mustRun([
    ...[python(), '-m', 'pip', 'install', '--quiet', '--no-deps', '--no-compile'],
    ...['--force-reinstall', '--disable-pip-version-check', '--no-index', ...wheels],
  ]);
