// Numbers of passed and failed tests, from the output of each test runner.

/** Sums the `test result:` lines of cargo test: one per test binary, and one for the doc tests. */
export function cargoCounts(output) {
  const counts = { passed: 0, failed: 0 };
  for (const [, passed, failed] of output.matchAll(
    /^test result: .*? (\d+) passed; (\d+) failed/gm,
  )) {
    counts.passed += Number(passed);
    counts.failed += Number(failed);
  }
  return counts;
}

/** From the summary of `node --test`. */
export function nodeCounts(output) {
  const read = (name) => Number(new RegExp(`^# ${name} (\\d+)`, 'm').exec(output)?.[1] ?? 0);
  return { passed: read('pass'), failed: read('fail') };
}

/** From the JSON report of vitest. A file that cannot be loaded counts as one failure. */
export function vitestCounts(report) {
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}

/** From the JSON report of Playwright. A flaky test has failed once, so it has failed. */
export function playwrightCounts(report) {
  const { expected, unexpected, flaky } = report.stats;
  return { passed: expected, failed: unexpected + flaky + (report.errors?.length ?? 0) };
}

/** From the last line of pytest. A file that cannot be loaded counts as a failure. */
export function pytestCounts(output) {
  const last = output.trimEnd().split('\n').at(-1);
  const read = (name) => Number(new RegExp(`(\\d+) ${name}`).exec(last)?.[1] ?? 0);
  return { passed: read('passed'), failed: read('failed') + read('error') };
}
