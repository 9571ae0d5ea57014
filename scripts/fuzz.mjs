// npm run fuzz [-- N]: the tests of hostile and random input, N times as long as in CI (10 unless told):
// texts and scenarios from anywhere, changed snapshots, the engine under random scenarios and edits, and
// random and damaged links. What they find is shrunk and printed.
import { main, note } from './lib/log.mjs';
import { cargoLocked, mustRun, npmProgram } from './lib/run.mjs';

/** Test, and how many cases of it CI tries. */
const targets = [
  ['snapshots::any_text_is_read_or_refused', 1_500],
  ['snapshots::what_is_accepted_of_odd_scenarios_runs', 2_500],
  ['snapshots::any_bytes_are_refused', 2_000],
  ['snapshots::changed_bytes_are_refused_and_change_nothing', 600],
  ['snapshots::changed_bytes_with_a_seal_that_fits_never_panic', 20_000],
  ['properties::random_scenarios_keep_every_promise', 2_000],
];
const links = 1_000;

await main(async () => {
  const times = Number(process.argv[2] ?? 10);
  for (const [name, cases] of targets) {
    await mustRun(
      [
        ...['cargo', 'test', '--quiet', '--profile', 'ci', ...cargoLocked(), '-p', 'sim-core'],
        ...['--test', 'it', '--', '--exact', name],
      ],
      { what: name, env: { PROPTEST_CASES: String(cases * times) } },
    );
    note(`${name}: ${cases * times} executions`);
  }
  await mustRun([...npmProgram('vitest'), 'run', '--config', 'web/vite.config.js', 'link/link'], {
    what: 'Links',
    env: { TIMESLICE_LINKS: String(links * times) },
  });
  note(`links: ${links * times} round trips, ${(links * times) / 10} damaged`);
});
