// node scripts/notebooks.mjs: the widget in JupyterLab and marimo, in a browser. Both run on the loopback and contact
// no other host. Both are in the environment of the Python package, which also contains the package with the page.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { playwrightCounts, pytestCounts } from './lib/counts.mjs';
import { runIfEntry } from './lib/entry.mjs';
import { Failure, heading, note } from './lib/log.mjs';
import { inRoot, reports } from './lib/paths.mjs';
import { npmProgram, run } from './lib/run.mjs';
import { browserForTests } from './lib/setup-browser.mjs';
import { environment, inEnvironment, setUpPython } from './lib/setup-python.mjs';
import { crate } from './lib/wheel.mjs';
import { installForNotebooks } from './python.mjs';

/** Runs the tests; resolves to { ok, passed, failed }, or to nothing, with a sentence, if there is no browser. */
export async function checkNotebooks() {
  if (!browserForTests()) {
    const why = 'there is no Chromium';
    if (process.env.CI) throw new Failure(`The stage in notebooks cannot be tested: ${why}.`);
    note(`the stage in notebooks is not tested: ${why}`);
    return undefined;
  }
  const report = path.join(reports, 'notebooks.json');
  mkdirSync(reports, { recursive: true });
  rmSync(report, { force: true });
  const playwright = npmProgram('@playwright/test', 'playwright');
  const { code } = await run(
    [...playwright, 'test', '--config', 'e2e/notebooks/playwright.config.ts'],
    {
      show: true,
      cwd: inRoot(),
      env: { TIMESLICE_PYTHON: inEnvironment('python'), TIMESLICE_REPORT: report },
    },
  );
  try {
    return { ok: code === 0, ...playwrightCounts(JSON.parse(readFileSync(report, 'utf8'))) };
  } catch {
    return { ok: false, passed: 0, failed: 1 };
  }
}

/** Runs all notebooks from top to bottom, the long one too. */
async function runNotebooks() {
  const { code, output } = await run(
    [inEnvironment('pytest'), '--color=no', path.join(crate, 'tests', 'test_notebooks.py')],
    { show: true, cwd: environment, env: { TIMESLICE_NIGHTLY: '1', JUPYTER_PLATFORM_DIRS: '1' } },
  );
  return { ok: code === 0, ...pytestCounts(output) };
}

await runIfEntry(import.meta.url, async () => {
  heading('The stage in notebooks');
  const why = await setUpPython();
  if (why) throw new Failure(`${why}.`);
  await build();
  await installForNotebooks();
  const all = [await checkNotebooks(), await runNotebooks()].filter(Boolean);
  const sum = (key) => all.reduce((total, counts) => total + counts[key], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  if (!all.every(({ ok }) => ok)) throw new Failure('The stage in notebooks has failures.');
});
