// The test suites, each a function that resolves to { ok, passed, failed }.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cargoCounts, flakyTests, nodeCounts, playwrightCounts, vitestCounts } from './counts.mjs';
import { Failure } from './log.mjs';
import { inRoot, reports, windows } from './paths.mjs';
import { cargoLocked, npmProgram, run } from './run.mjs';
import { ensureLints } from './setup-rust.mjs';
import { changesSince } from './stamp.mjs';
import { filesRead } from './step-runner.mjs';

/** Runs a command that writes a JSON report; resolves to the report too, if it was written. */
async function withReport(name, commandLine, count, options = {}) {
  const file = path.join(reports, `${name}.json`);
  mkdirSync(reports, { recursive: true });
  // An old report must not count as the result of a run that did not get so far.
  rmSync(file, { force: true });
  const { code } = await run(commandLine, { show: true, ...options });
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    return { ok: code === 0, report, ...count(report) };
  } catch {
    return { ok: false, passed: 0, failed: 1 };
  }
}

/** Tests of the scripts. */
export async function tooling() {
  const folder = inRoot('scripts', 'tests');
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.test.mjs'))
    .map((name) => path.join(folder, name));
  const { code, output } = await run([process.execPath, '--test', '--test-reporter=tap', ...files]);
  if (code !== 0) console.error(output);
  return { ok: code === 0, ...nodeCounts(output) };
}

async function cargoTest(args, options) {
  const { code, output } = await run(['cargo', 'test', ...cargoLocked(), ...args], {
    show: true,
    ...options,
  });
  return { ok: code === 0, ...cargoCounts(output) };
}

/**
 * All packages, optimised but with every check of a debug build; with the schema, to compare the generated files in the
 * same build. Commands that name fewer packages would have cargo compile most of it again, as packages switch on features
 * of common libraries.
 */
const CI = ['--workspace', '--profile', 'ci', '--features', 'sim-core/schema'];

/**
 * clippy's driver is the compiler with more warnings, so what the tests need is compiled and examined in one pass.
 * `cargo clippy` itself compiles nothing that a test could run. A warning is an error. The script calls it without
 * optimising the tests' own code.
 */
const LINTS = {
  RUSTC_WORKSPACE_WRAPPER: windows ? 'clippy-driver' : inRoot('scripts', 'lib', 'compile-tests.sh'),
  CLIPPY_ARGS: '-Dwarnings__CLIPPY_HACKERY__',
};

/** Everything that the tests of Rust, of Python and of the command line need, compiled and examined once; or a part of it. */
export async function buildForTests(targets = ['--all-targets']) {
  await ensureLints();
  const build = ['cargo', 'build', ...targets, ...CI, ...cargoLocked()];
  return run(build, { show: true, env: LINTS });
}

/** The same, counted as one check. */
export async function rustBuild(targets) {
  const { code } = await buildForTests(targets);
  return code === 0 ? { ok: true, passed: 1, failed: 0 } : { ok: false, passed: 0, failed: 1 };
}

/** All Rust tests, or those that arguments for cargo choose. */
export const rust = (args = []) => cargoTest([...CI, ...args], { env: LINTS });

/** The runs of all facts of `sim-core/tests/conformance` with their native digests, each beside the text of its scenario. */
export async function facts() {
  const file = path.join(reports, 'facts.json');
  mkdirSync(reports, { recursive: true });
  rmSync(file, { force: true });
  const test = 'conformance::elsewhere::facts_have_digests_for_other_builds';
  const args = ['--test', 'schedulers', '--', '--ignored', '--exact', test];
  const { code, output } = await run(['cargo', 'test', ...cargoLocked(), ...CI, ...args], {
    env: { ...LINTS, TIMESLICE_FACTS: file },
  });
  if (code !== 0) throw new Failure(`${output}\nThe digests of the facts could not be computed.`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The tests that are left out of the short set because they take long. */
export const rustLong = () =>
  cargoTest([...CI, '--', '--include-ignored'], { env: { ...LINTS, TIMESLICE_NIGHTLY: '1' } });

/** The unit tests only, in the profile that compiles fastest after a change. */
export const rustUnits = () => cargoTest(['--workspace', '--lib']);

/** The same with the language of own policies, which takes longer to compile than all the rest: a nightly part. */
const WITH_POLICIES = [
  ...['--workspace', '--profile', 'ci', '--features', 'sim-core/schema,timeslice/policy'],
];

/** The libraries of a build with own policies, among them Python's module. */
export const buildWithPolicies = () =>
  run(['cargo', 'build', '--lib', ...WITH_POLICIES, ...cargoLocked()], { show: true, env: LINTS });

/** A test that tries random programs: this part tries 10,000. */
const RANDOM_PROGRAMS = 'policies::random_programs_end';

/**
 * Own policies: their language, their templates under all that a scheduler must survive, and on the command line. The names
 * choose among tests that are there without the feature, too. Then come random programs, and CPython runs the same files.
 */
export async function policies() {
  const test = (args, env) =>
    cargoTest([...WITH_POLICIES, ...args], {
      env: { ...LINTS, TIMESLICE_SCHEDULER: 'own', ...env },
    });
  const skipped = [...OF_OTHERS, RANDOM_PROGRAMS].flatMap((name) => ['--skip', name]);
  const parts = [
    () =>
      test([
        ...['--test', 'policies', '--test', 'schedulers', '--test', 'it', '--'],
        ...[...OF_SCHEDULERS, ...OF_POLICIES, ...skipped],
      ]),
    () => test(['--test', 'schedulers', '--', RANDOM_PROGRAMS], { TIMESLICE_NIGHTLY: '1' }),
    async () => (await import('../python.mjs')).comparePolicies(),
  ];
  const all = { ok: true, passed: 0, failed: 0 };
  for (const part of parts) {
    // What comes later needs what was built before.
    if (!all.ok) break;
    const { ok = true, passed = 0, failed = 0 } = (await part()) ?? {};
    Object.assign(all, { ok, passed: all.passed + passed, failed: all.failed + failed });
  }
  return all;
}

/** Modules of `sim-core/run/tests/schedulers` in which a change of one scheduler can show. */
const OF_SCHEDULERS = [
  ...['channels', 'conformance', 'determinism', 'every_scheduler', 'fairness', 'parents', 'parity'],
  ...['pauses', 'queue_shape', 'queueing', 'every_record_of_every_shipped_scenario'],
];

/** What else own policies change: names of tests of their crate, of runs and of the command line. */
const OF_POLICIES = [
  ...[
    'templates',
    'the_table_has',
    'wrong_program',
    'programs_that_were_found',
    'any_text',
    'nested',
    'policies::',
    'policy::',
    'exercises::',
    'lessons_with_own_policies',
  ],
  ...['random_', 'snapshots', 'live_edits', 'decisions', 'operands'],
];

/** Tests in those modules that run a scheduler of their own, whatever is asked for: a fourth of the time. */
const OF_OTHERS = [
  'every_scheduler::the_skeleton_survives',
  'every_scheduler::a_scheduler_of_which_nothing_is_said',
];

/**
 * What a change of a scheduler needs: its facts, situations, golden digests and parity. The unit tests are in `check`
 * itself; here they would have all schedulers optimised a second time.
 */
export const schedulerTests = (id) =>
  cargoTest(
    [
      ...['--profile', 'ci', '-p', 'sim-run', '-p', 'sim-schedulers', '--test', 'schedulers', '--'],
      ...[...OF_SCHEDULERS, ...OF_OTHERS.flatMap((name) => ['--skip', name])],
    ],
    { env: { TIMESLICE_SCHEDULER: id } },
  );

const vitest = (args) =>
  withReport(
    'vitest',
    [
      ...npmProgram('vitest'),
      ...args,
      ...['--config', 'web/vite.config.js'],
      ...['--reporter=default', '--reporter=json'],
      `--outputFile.json=${path.join(reports, 'vitest.json')}`,
    ],
    vitestCounts,
  );

/** Unit tests of the page; only those of some files, if any are named. */
export const webUnits = (files = []) => vitest(['run', ...files]);

/** What a change can reach only through imports. Anything else may be read by any test. */
const isSource = (file) => /^web\/src\/.*\.(ts|svelte)$/.test(file);

/**
 * The unit tests of the page that import what changed since all of them passed; all, if data or the core changed. A test
 * that reads a source as text is not found by this, so CI runs all. No result if no test imports the changed files.
 */
export async function changedWebUnits() {
  const { steps } = await import('../steps.mjs');
  const { reads } = steps.find(({ command }) => command.endsWith('units --changed'));
  const { changed, record } = changesSince('units-by-file', filesRead(reads));
  const counts = changed.every(isSource)
    ? await vitest([
        'related',
        '--run',
        '--passWithNoTests',
        ...changed.map((file) => inRoot(file)),
      ])
    : await webUnits();
  if (counts.ok && counts.failed === 0) record();
  if (!counts.ok || counts.passed > 0) return counts;
  console.log('No unit test imports what changed.');
  return undefined;
}

/** The Python package with its tests and notebooks; no result if there is no Python and none may be installed. */
export async function python() {
  const { checkPython } = await import('../python.mjs');
  return checkPython();
}

const SPECS = inRoot('e2e');
/** The tag of browser tests that only the nightly run carries out. */
const LONG = '@nightly';

/** Writes down the tests that passed only at the second attempt, and names them. */
function tellFlaky(name, report) {
  const flaky = report ? flakyTests(report) : [];
  writeFileSync(path.join(reports, `flaky-${name}.json`), `${JSON.stringify(flaky, null, 2)}\n`);
  for (const { title, error } of flaky) console.log(`FLAKY ${title} (${error})`);
}

/** The built page in a browser; `args` go to Playwright. */
async function playwright(name, args) {
  const { report, ...counts } = await withReport(
    'e2e',
    [
      ...npmProgram('@playwright/test', 'playwright'),
      ...['test', '--config', 'e2e/playwright.config.ts', ...args],
    ],
    playwrightCounts,
  );
  tellFlaky(name, report);
  return counts;
}

/** All browser tests that the arguments for Playwright choose. */
export const endToEnd = (args) => playwright('e2e', args);

/** The browser tests of the short set. */
export const browser = (args) => playwright('browser', ['--grep-invert', LONG, ...args]);

/** The file with the browser tests of own policies. */
const OF_OWN = 'policies';

/** The browser tests of own policies, on a page that has them. */
export async function browserPolicies() {
  const { build } = await import('../build.mjs');
  await build({ policies: true });
  return playwright('policies', ['--grep', LONG, `/${OF_OWN}.spec.ts`]);
}

/**
 * The longer browser tests in the files of those names. `--others`: in all files that no other row of the table of steps
 * names.
 */
export async function browserLong(names) {
  let files = names;
  if (names.includes('--others')) {
    const { steps } = await import('../steps.mjs');
    const named = steps.flatMap(({ command }) =>
      command.includes('browser-long') ? command.split(' ').slice(3) : [],
    );
    files = readdirSync(SPECS)
      .filter((file) => file.endsWith('.spec.ts'))
      .map((file) => file.replace('.spec.ts', ''))
      .filter((file) => !named.includes(file) && file !== OF_OWN);
  }
  if (files.includes('languages')) {
    const { buildPseudo } = await import('../build.mjs');
    await buildPseudo();
  }
  return playwright('nightly', ['--grep', LONG, ...files.map((file) => `/${file}.spec.ts`)]);
}
