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

/**
 * From the JSON report of Playwright. A test that passes at the second attempt has passed; `flakyTests` names it, and the
 * next change mends it.
 */
export function playwrightCounts(report) {
  const { expected, unexpected, flaky } = report.stats;
  return { passed: expected + flaky, failed: unexpected + (report.errors?.length ?? 0) };
}

/** The tests of that report which passed only at the second attempt, with the first line of their first error. */
export function flakyTests(report) {
  const found = [];
  const walk = ({ title, suites = [], specs = [] }, above) => {
    const names = title ? [...above, title] : above;
    for (const suite of suites) walk(suite, names);
    for (const spec of specs)
      for (const { status, results } of spec.tests) {
        if (status !== 'flaky') continue;
        const error = results.find((result) => result.error)?.error.message ?? 'no message';
        // Colours of the terminal would hide the words.
        // eslint-disable-next-line no-control-regex -- they begin with this character
        const plain = error.replaceAll(/\u001b\[[\d;]*m/g, '');
        found.push({ title: [...names, spec.title].join(' › '), error: plain.split('\n')[0] });
      }
  };
  for (const suite of report.suites ?? []) walk(suite, []);
  return found;
}

/** From the last line of pytest. A file that cannot be loaded counts as a failure. */
export function pytestCounts(output) {
  const last = output.trimEnd().split('\n').at(-1);
  const read = (name) => Number(new RegExp(`(\\d+) ${name}`).exec(last)?.[1] ?? 0);
  return { passed: read('passed'), failed: read('failed') + read('error') };
}
