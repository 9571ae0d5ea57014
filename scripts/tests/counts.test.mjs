import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cargoCounts,
  flakyTests,
  nodeCounts,
  playwrightCounts,
  pytestCounts,
  vitestCounts,
} from '../lib/counts.mjs';

test('cargo: all test binaries are summed', () => {
  const output = [
    'test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s',
    'noise: 99 passed; 99 failed',
    'test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out',
  ].join('\n');
  assert.deepEqual(cargoCounts(output), { passed: 15, failed: 2 });
});

test('node: the summary is read, not the test names', () => {
  assert.deepEqual(nodeCounts('ok 1 - # pass 9\n# tests 5\n# pass 4\n# fail 1\n'), {
    passed: 4,
    failed: 1,
  });
});

test('vitest: a file that does not load is a failure', () => {
  const report = {
    numPassedTests: 4,
    numFailedTests: 0,
    testResults: [
      { status: 'failed', assertionResults: [] },
      { status: 'passed', assertionResults: [{}] },
    ],
  };
  assert.deepEqual(vitestCounts(report), { passed: 4, failed: 1 });
});

test('playwright: a test that passes at the second attempt has passed; an error outside of tests is a failure', () => {
  const report = { stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 0 }, errors: [{}] };
  assert.deepEqual(playwrightCounts(report), { passed: 4, failed: 2 });
});

test('playwright: a test that passes at the second attempt is named with its first error', () => {
  const spec = (title, status, errors) => ({
    title,
    tests: [{ status, results: errors.map((message) => (message ? { error: { message } } : {})) }],
  });
  const report = {
    suites: [
      {
        title: 'why.spec.ts',
        suites: [
          {
            title: 'a phone',
            specs: [spec('turns', 'flaky', ['\u001b[31mtoo late\u001b[39m\nat', ''])],
          },
        ],
        specs: [spec('fine', 'expected', ['']), spec('broken', 'unexpected', ['a', 'b'])],
      },
    ],
  };
  assert.deepEqual(flakyTests(report), [
    { title: 'why.spec.ts › a phone › turns', error: 'too late' },
  ]);
});

test('pytest: the last line is read, and an error is a failure', () => {
  const output = '9 passed\n1 failed, 51 passed, 2 errors in 3.20s (0:03:39)\n';
  assert.deepEqual(pytestCounts(output), { passed: 51, failed: 3 });
  assert.deepEqual(pytestCounts('52 passed in 60.01s\n'), { passed: 52, failed: 0 });
});
