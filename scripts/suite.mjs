// One suite of tests, counted: the last line is always `N passed, N failed`.
//   node scripts/suite.mjs NAME [OPTIONS]     the names are below
import { main } from './lib/entry.mjs';
import { complain, Failure } from './lib/log.mjs';
import * as suites from './lib/suites.mjs';

const SUITES = {
  tooling: () => suites.tooling(),
  'rust-build': (...targets) => suites.rustBuild(targets.length > 0 ? targets : undefined),
  rust: (...args) => suites.rust(args),
  'rust-long': () => suites.rustLong(),
  'rust-units': () => suites.rustUnits(),
  policies: () => suites.policies(),
  scheduler: (id) => suites.schedulerTests(id),
  units: (...files) =>
    files[0] === '--changed' ? suites.changedWebUnits() : suites.webUnits(files),
  python: () => suites.python(),
  browser: (...args) => suites.browser(args),
  'browser-policies': () => suites.browserPolicies(),
  'browser-long': (...files) => suites.browserLong(files),
};

await main(async () => {
  const [name, ...args] = process.argv.slice(2);
  const suite = SUITES[name];
  if (!suite) throw new Failure(`A suite is one of ${Object.keys(SUITES).join(', ')}.`);
  const counts = await suite(...args);
  // Nothing: the suite cannot run here, and has said why.
  if (!counts) return;
  const { ok, passed, failed } = counts;
  if (passed + failed === 0) complain(`${name}: no test was found`);
  // A suite that fails without a failed test did not get so far.
  const bad = ok && passed > 0 ? failed : Math.max(1, failed);
  console.log(`\n${passed} passed, ${bad} failed`);
  process.exitCode = bad > 0 ? 1 : 0;
});
