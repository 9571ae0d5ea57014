// npm run python: the Python package: builds it, checks its types, runs its tests and notebooks.
//   node scripts/python.mjs               all of that
//   node scripts/python.mjs --set-up      only the environment, in .cache/python
//   node scripts/python.mjs --no-tests    only builds it and installs it there
//   node scripts/python.mjs --wheel       the page, then the package as it is released, with the page in it
//   node scripts/python.mjs --measure     what it costs: the table of docs/python.md
//   node scripts/python.mjs --pin         renews the versions and checksums of what it is tested with
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { pytestCounts } from './lib/counts.mjs';
import { runIfEntry } from './lib/entry.mjs';
import { Failure, heading, note } from './lib/log.mjs';
import { cache, dist, inRoot, windows } from './lib/paths.mjs';
import { buildReleased } from './lib/native.mjs';
import { cargoLocked, mustRun, patiently, run } from './lib/run.mjs';
import { environment, inEnvironment, pin, setUpPython } from './lib/setup-python.mjs';
import { rustHost } from './lib/setup-rust.mjs';
import { withTerms } from './lib/wheel-terms.mjs';

const crate = inRoot('sim-core', 'python');
const target = process.env.CARGO_TARGET_DIR ?? inRoot('target');
const page = path.join(crate, 'timeslice', 'page.html');
/** What a wheel may have, in bytes. */
const LIMIT = 2_500_000;

/** Builds the package; resolves to the path of its wheel. */
async function buildWheel(profile, folder) {
  rmSync(folder, { recursive: true, force: true });
  const { code, output } = await patiently(
    `building the Python package (${profile})`,
    [
      ...[inEnvironment('maturin'), 'build', '--profile', profile, '--out', folder],
      ...['--manifest-path', path.join(crate, 'Cargo.toml'), ...cargoLocked()],
    ],
    { env: { VIRTUAL_ENV: environment }, seconds: profile === 'ci' ? 40 : 200 },
  );
  if (code !== 0) throw new Failure(`${output}\nThe Python package could not be built.`);
  const [name] = readdirSync(folder).filter((file) => file.endsWith('.whl'));
  return path.join(folder, name);
}

/** Builds the package and installs it into the environment; resolves to the path of its wheel. */
async function install(profile = 'ci') {
  const wheel = await buildWheel(profile, path.join(cache, 'wheels'));
  await mustRun([
    ...[inEnvironment('python'), '-m', 'pip', 'install', '--quiet', '--no-deps', '--no-compile'],
    ...['--force-reinstall', '--disable-pip-version-check', '--no-index', wheel],
  ]);
  return wheel;
}

/** The command line of the same profile: what the package gives is held against what it prints. */
async function commandLine() {
  const build = [
    'cargo',
    'build',
    '--quiet',
    '--profile',
    'ci',
    ...cargoLocked(),
    '-p',
    'timeslice',
  ];
  await mustRun(build, { what: 'The build of the command line' });
  return path.join(target, 'ci', windows ? 'timeslice.exe' : 'timeslice');
}

/** Types, and whether what is written down of the compiled module is what it has: each counts as a check. */
async function checkTypes() {
  const counts = { passed: 0, failed: 0 };
  const config = path.join(crate, 'pyproject.toml');
  for (const [what, ...args] of [
    ['types', 'mypy', '--config-file', config, path.join(crate, 'timeslice')],
    ['stubs', 'mypy.stubtest', '--mypy-config-file', config, 'timeslice._core'],
  ]) {
    // From elsewhere: the folder of the sources has the package without its compiled module.
    const options = { cwd: environment, env: { MYPY_CACHE_DIR: path.join(cache, 'mypy') } };
    const { code, output } = await run([inEnvironment('python'), '-m', ...args], options);
    if (code === 0) counts.passed += 1;
    else {
      counts.failed += 1;
      console.error(`${output}\n${what}: wrong`);
    }
  }
  return counts;
}

async function runTests(digests) {
  const { code, output } = await run(
    [inEnvironment('pytest'), '--color=no', '--durations=5', path.join(crate, 'tests')],
    {
      show: true,
      cwd: environment,
      env: {
        TIMESLICE_CLI: await commandLine(),
        PYTHONDONTWRITEBYTECODE: '1',
        JUPYTER_PLATFORM_DIRS: '1',
        IPYTHONDIR: path.join(cache, 'ipython'),
        ...(digests ? { TIMESLICE_DIGESTS: digests } : {}),
      },
    },
  );
  return { ok: code === 0, ...pytestCounts(output) };
}

/**
 * Builds and tests the package; resolves to { ok, passed, failed }, or to nothing, with a sentence, where there is no
 * Python and none may be installed. `digests` is a file of what the command line's `digest --json` printed.
 */
export async function checkPython({ digests } = {}) {
  const why = await setUpPython();
  if (why) {
    if (process.env.CI) throw new Failure(`The Python package cannot be tested: ${why}.`);
    note(`the Python package is not tested: ${why}`);
    return undefined;
  }
  await install();
  const types = await checkTypes();
  const tests = await runTests(digests);
  return {
    ok: tests.ok && types.failed === 0,
    passed: tests.passed + types.passed,
    failed: tests.failed + types.failed,
  };
}

/** What the package costs, as it is released. */
async function measure() {
  const wheel = await install('release');
  const cli = await buildReleased('timeslice');
  const commandLine = [inEnvironment('python'), path.join(crate, 'measure.py'), cli, wheel];
  await mustRun(commandLine, { cwd: environment, what: 'The measurement' });
}

/** The package as it is released. */
async function release() {
  await build();
  copyFileSync(path.join(dist, 'timeslice.html'), page);
  try {
    const folder = path.join(dist, 'python');
    mkdirSync(dist, { recursive: true });
    const wheel = await withTerms(crate, rustHost(), () => buildWheel('release', folder));
    const { size } = statSync(wheel);
    note(`${path.relative(inRoot(), wheel)}: ${(size / 1e6).toFixed(2)} MB`);
    if (size > LIMIT) throw new Failure(`A wheel may have ${LIMIT / 1e6} MB.`);
  } finally {
    rmSync(page, { force: true });
  }
}

await runIfEntry(import.meta.url, async (args) => {
  if (args.includes('--pin')) return pin();
  heading('Python package');
  if (args.includes('--set-up')) {
    const why = await setUpPython();
    note(why ?? 'the Python environment is there');
    return;
  }
  const other = Object.entries({
    '--wheel': release,
    '--measure': measure,
    '--no-tests': () => install(),
  }).find(([name]) => args.includes(name));
  if (other) {
    const why = await setUpPython();
    if (why) throw new Failure(`${why}.`);
    return other[1]();
  }
  const counts = await checkPython();
  if (!counts) return;
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
  if (!counts.ok || counts.failed > 0) throw new Failure('The Python package has failures.');
});
