// npm run fuzz [-- N [SEED]]: the tests of hostile and random input, N times as long as in CI (10 unless told), from
// another seed if one is given: texts and scenarios from anywhere, changed snapshots, the engine under random scenarios,
// edits and journeys, whatever the worker may be asked, and random and damaged links. What they find is shrunk and
// printed; a scenario goes into sim-core/tests/corpus, anything else into a regression test.
//
// npm run fuzz -- --coverage [SECONDS [TARGET …]]: the targets of sim-core/fuzz (scenario, snapshot, link, edits, import, policy) with
// cargo-fuzz, half an hour each unless told, guided by what they reach.
import { fuzzCoverage } from './lib/fuzz-coverage.mjs';
import { main } from './lib/entry.mjs';
import { note } from './lib/log.mjs';
import { cargoLocked, mustRun, npmProgram } from './lib/run.mjs';

/** Test, and the number of its cases in CI. */
const targets = [
  ['snapshots::any_text_is_read_or_refused', 1_500],
  ['snapshots::what_is_accepted_of_odd_scenarios_runs', 2_500],
  ['snapshots::any_bytes_are_refused', 2_000],
  ['snapshots::changed_bytes_are_refused_and_change_nothing', 600],
  ['snapshots::changed_bytes_with_a_seal_that_fits_never_panic', 20_000],
  ['properties::random_scenarios_keep_every_promise', 2_000],
  ['journeys::random_journeys_leave_the_run_that_their_log_describes', 400],
];
/** Tests of the page, and the number of cases of each for every N. */
const pageTargets = [
  ['sim/protocol.fuzz', 60, 'what the worker is asked'],
  ['link/link', 1_000, 'links there and back, and a tenth as many damaged ones'],
];

await main(async () => {
  const args = process.argv.slice(2);
  if (args[0] === '--coverage') {
    const [, seconds = '1800', ...names] = args;
    await fuzzCoverage(seconds, names);
    return;
  }
  const [times = '10', seed] = args;
  const start = seed === undefined ? {} : { TIMESLICE_FUZZ_SEED: seed };
  for (const [name, cases] of targets) {
    const all = String(cases * Number(times));
    await mustRun(
      [
        ...['cargo', 'test', '--quiet', '--profile', 'ci', ...cargoLocked(), '-p', 'sim-run'],
        ...['--test', 'schedulers', '--', '--exact', name],
      ],
      { what: name, env: { PROPTEST_CASES: all, ...start } },
    );
    note(`${name}: ${all} executions`);
  }
  for (const [file, cases, what] of pageTargets) {
    const all = String(cases * Number(times));
    await mustRun([...npmProgram('vitest'), 'run', '--config', 'web/vite.config.js', file], {
      what,
      env: { TIMESLICE_CASES: all, ...start },
    });
    note(`${what}: ${all} executions`);
  }
});
