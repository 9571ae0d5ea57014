// The test suites, each a function that resolves to { ok, passed, failed }.
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildPseudo } from '../build.mjs';
import { checkClaims } from '../claims.mjs';
import { checkDigests } from '../digests.mjs';
import { checkNotebooks } from '../notebooks.mjs';
import { checkPython } from '../python.mjs';
import { cargoCounts, nodeCounts, playwrightCounts, vitestCounts } from './counts.mjs';
import { useTestedProgram } from './native.mjs';
import { inRoot, reports } from './paths.mjs';
import { cargoLocked, npmProgram, run } from './run.mjs';

/** Runs a command that writes a JSON report, and counts from the report. */
async function withReport(name, commandLine, count, options = {}) {
  const file = path.join(reports, `${name}.json`);
  mkdirSync(reports, { recursive: true });
  // An old report must not count as the result of a run that did not get so far.
  rmSync(file, { force: true });
  const { code, output } = await run(commandLine, { show: true, ...options });
  try {
    return { ok: code === 0, output, ...count(JSON.parse(readFileSync(file, 'utf8'))) };
  } catch {
    return { ok: false, output, passed: 0, failed: 1 };
  }
}

export async function tooling(options = {}) {
  const folder = inRoot('scripts', 'tests');
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.test.mjs'))
    .map((name) => path.join(folder, name));
  const { code, output } = await run(
    [process.execPath, '--test', '--test-reporter=tap', ...files],
    options,
  );
  if (code !== 0 && !options.show) console.error(output);
  return { ok: code === 0, output, ...nodeCounts(output) };
}

async function cargoTest(args, options) {
  const { code, output } = await run(['cargo', 'test', ...cargoLocked(), ...args], {
    show: true,
    ...options,
  });
  return { ok: code === 0, output, ...cargoCounts(output) };
}

/**
 * All Rust tests, optimised but with every check of a debug build. Including the schema, so that generated files are
 * compared in the same build.
 */
export async function rust(options) {
  const all = ['--workspace', '--profile', 'ci', '--features', 'sim-core/schema'];
  const result = await cargoTest(all, options);
  useTestedProgram();
  return result;
}

/** The unit tests only, in the profile that compiles fastest after a change. */
export const rustUnits = (options) => cargoTest(['--workspace', '--lib'], options);

/** Modules of `sim-core/run/tests/schedulers` in which a change of one scheduler can show. */
const OF_SCHEDULERS = [
  ...['channels', 'conformance', 'determinism', 'every_scheduler', 'fairness', 'parents', 'parity'],
  ...['pauses', 'queue_shape', 'queueing', 'every_record_of_every_shipped_scenario'],
];

/**
 * What a change of a scheduler needs: its facts, situations, golden digests and parity, and the unit tests of all
 * schedulers. All is built in one command, so that both cores have work.
 */
export async function schedulerTests(id, options = {}) {
  const built = ['--profile', 'ci', '-p', 'sim-run', '-p', 'sim-schedulers'];
  const env = { TIMESLICE_SCHEDULER: id, ...options.env };
  const both = await cargoTest([...built, '--lib', '--test', 'schedulers', '--no-run'], options);
  if (!both.ok) return both;
  const units = await cargoTest([...built, '--lib'], options);
  const runs = await cargoTest([...built, '--test', 'schedulers', '--', ...OF_SCHEDULERS], {
    ...options,
    env,
  });
  return {
    ok: units.ok && runs.ok,
    output: units.output + runs.output,
    passed: units.passed + runs.passed,
    failed: units.failed + runs.failed,
  };
}

export const webUnits = (options) =>
  withReport(
    'vitest',
    [
      ...npmProgram('vitest'),
      'run',
      '--config',
      'web/vite.config.js',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${path.join(reports, 'vitest.json')}`,
    ],
    vitestCounts,
    options,
  );

export const digests = async () => {
  const counts = await checkDigests();
  return { ok: counts.failed === 0, ...counts };
};

/** All claims, each counted once. */
export const claims = async () => ({ ok: true, passed: await checkClaims(), failed: 0 });

/** The content of the gallery, compared with the command line. */
export const gallery = async () => {
  // Its imports need packages, which exist only after set-up.
  const { checkGallery } = await import('../gallery.mjs');
  const counts = await checkGallery();
  return { ok: counts.failed === 0, ...counts };
};

/** README and manual: every link of the built site, every command, the page about the command line. */
export const manual = async () => {
  const { checkManual } = await import('../manual.mjs');
  const counts = await checkManual();
  return { ok: counts.failed === 0, ...counts };
};

/**
 * The Python package with its tests and notebooks, then the built page in notebooks; no result if there is no Python
 * and none may be installed.
 */
export async function python(options) {
  const inPython = await checkPython({ ...options, withPage: true });
  if (!inPython?.ok) return inPython;
  const shown = (await checkNotebooks()) ?? { ok: true, passed: 0, failed: 0 };
  return {
    ok: shown.ok,
    passed: inPython.passed + shown.passed,
    failed: inPython.failed + shown.failed,
  };
}

/** The end-to-end tests against the built page; `args` go to Playwright. */
export const endToEnd = async (args = []) => {
  await buildPseudo();
  return withReport(
    'e2e',
    [
      ...npmProgram('@playwright/test', 'playwright'),
      'test',
      '--config',
      'e2e/playwright.config.ts',
      ...args,
    ],
    playwrightCounts,
  );
};
