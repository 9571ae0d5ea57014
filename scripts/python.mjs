// npm run python: the Python package: builds it, checks its types, runs its tests and notebooks.
//   node scripts/python.mjs               all of that
//   node scripts/python.mjs --set-up      only the environment, in .cache/python
//   node scripts/python.mjs --no-tests    only builds it and lets that environment find it
//   node scripts/python.mjs --wheel       the package as it is released, and the page for its widget: two wheels in dist/python
//   node scripts/python.mjs --measure     what that costs: renews the table of docs/python.md
//   node scripts/python.mjs --pin         renews the versions and checksums of what it is tested with
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { pytestCounts } from './lib/counts.mjs';
import { runIfEntry } from './lib/entry.mjs';
import { Failure, heading, note } from './lib/log.mjs';
import { cache, dist, inRoot, windows } from './lib/paths.mjs';
import { buildReleased, testedProgram } from './lib/native.mjs';
import { mustRun, run } from './lib/run.mjs';
import { environment, inEnvironment, pin, setUpPython } from './lib/setup-python.mjs';
import { rustHost } from './lib/setup-rust.mjs';
import { buildForTests, buildWithPolicies } from './lib/suites.mjs';
import { buildPageWheel, buildWheel, crate, installWheels, wheelProblems } from './lib/wheel.mjs';
import { withTerms } from './lib/wheel-terms.mjs';

const target = process.env.CARGO_TARGET_DIR ?? inRoot('target');

/** What cargo calls the compiled module, and what Python does. */
const [BUILT, MODULE] = windows
  ? ['_core.dll', '_core.pyd']
  : [process.platform === 'darwin' ? 'lib_core.dylib' : 'lib_core.so', '_core.abi3.so'];

/**
 * Lets the environment find the package where its sources are, with the module that the Rust tests have compiled beside
 * them: what is tested needs no wheel and is compiled once.
 */
async function useSources() {
  if ((await buildForTests()).code !== 0) throw new Failure('The module could not be built.');
  await useBuilt();
}

/** The same with the module that is built already. */
async function useBuilt() {
  copyFileSync(path.join(target, 'ci', BUILT), path.join(crate, 'timeslice', MODULE));
  const pip = [inEnvironment('python'), '-m', 'pip', '--quiet', '--disable-pip-version-check'];
  // An installed wheel would be found first.
  await run([...pip, 'uninstall', '--yes', 'timeslice']);
  const { stdout } = await run([
    ...[inEnvironment('python'), '-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'],
  ]);
  writeFileSync(path.join(stdout.trim(), POINTER), `${crate}\n`);
}

/** The file in the environment that names the folder of the sources. */
const POINTER = 'timeslice-sources.pth';

/** Builds the wheels with the profile of the tests, checks what is in them, and installs them. */
export async function installForNotebooks() {
  const folder = path.join(cache, 'wheels');
  const wheels = [await buildWheel('ci', folder), await buildPageWheel(folder)];
  const problems = await wheelProblems(wheels);
  if (problems.length > 0) throw new Failure(problems.join('\n'));
  await installWheels(wheels);
}

/** Types, and whether the type stubs match the compiled module: each counts as a check. */
async function checkTypes() {
  const counts = { passed: 0, failed: 0 };
  const config = path.join(crate, 'pyproject.toml');
  for (const [what, ...args] of [
    ['types', 'mypy', '--config-file', config, path.join(crate, 'timeslice')],
    ['stubs', 'mypy.stubtest', '--mypy-config-file', config, 'timeslice._core'],
  ]) {
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

async function runTests(tests = 'tests', env = {}) {
  const { code, output } = await run(
    [inEnvironment('pytest'), '--color=no', '--durations=5', path.join(crate, tests)],
    {
      show: true,
      cwd: environment,
      env: {
        TIMESLICE_CLI: testedProgram(),
        // Tests start Python a hundred times: what they import is compiled once, and nothing of it stands among the sources.
        PYTHONDONTWRITEBYTECODE: '',
        PYTHONPYCACHEPREFIX: path.join(cache, 'pycache'),
        JUPYTER_PLATFORM_DIRS: '1',
        IPYTHONDIR: path.join(cache, 'ipython'),
        ...env,
      },
    },
  );
  return { ok: code === 0, ...pytestCounts(output) };
}

/**
 * Builds and tests the package; resolves to { ok, passed, failed }, or to nothing, with a sentence, if there is no
 * Python and none may be installed.
 */
export async function checkPython() {
  const why = await setUpPython();
  if (why) {
    if (process.env.CI) throw new Failure(`The Python package cannot be tested: ${why}.`);
    note(`the Python package is not tested: ${why}`);
    return undefined;
  }
  await useSources();
  const checks = await checkTypes();
  const tests = await runTests();
  return {
    ok: tests.ok && checks.failed === 0,
    passed: tests.passed + checks.passed,
    failed: tests.failed + checks.failed,
  };
}

/**
 * Own policies by CPython beside the language that is built in, which the command line that the Rust tests left has. No result
 * if there is no Python.
 */
export async function comparePolicies() {
  const why = await setUpPython();
  if (why) {
    note(`own policies are not compared with CPython: ${why}`);
    return undefined;
  }
  if ((await buildWithPolicies()).code !== 0) throw new Failure('The module could not be built.');
  await useBuilt();
  return runTests('tests/test_policy.py', { TIMESLICE_POLICIES: '1' });
}

/** Builds the package and its page in the release profile; resolves to the paths of the wheels. */
async function release() {
  await build();
  const folder = path.join(dist, 'python');
  const wheels = [
    await withTerms(crate, rustHost(), () => buildWheel('release', folder)),
    await buildPageWheel(folder),
  ];
  const problems = await wheelProblems(wheels);
  if (problems.length > 0) throw new Failure(problems.join('\n'));
  for (const wheel of wheels) note(path.relative(inRoot(), wheel));
  return wheels;
}

/** The cost of the released package: renews the table of docs/python.md. */
async function measure() {
  const wheels = await release();
  await installWheels(wheels);
  const cli = await buildReleased('timeslice');
  const measured = [path.join(crate, 'measure.py'), cli, inRoot('docs', 'python.md'), ...wheels];
  // -P: the installed package, not the sources beside the script.
  await mustRun([inEnvironment('python'), '-P', ...measured], {
    cwd: environment,
    what: 'The measurement',
  });
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
    '--no-tests': useSources,
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
