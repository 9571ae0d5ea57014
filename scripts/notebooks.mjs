// node scripts/notebooks.mjs: the widget in JupyterLab and marimo, in a browser. Both run on the loopback and ask nobody else
// for anything. They are installed into .cache/notebooks, unless another Python is named that has them and the package.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runIfEntry } from './lib/entry.mjs';
import { Failure, heading } from './lib/log.mjs';
import { cache, dist, inRoot, windows } from './lib/paths.mjs';
import { npmProgram, run } from './lib/run.mjs';
import { playwrightCounts } from './lib/counts.mjs';
import { build } from './build.mjs';

const environment = path.join(cache, 'notebooks');
const PACKAGES = ['anywidget==0.11.0', 'jupyterlab==4.6.6', 'marimo==0.25.2'];

/** A Python with all that is needed but the package itself. */
async function ownPython() {
  const python = path.join(environment, windows ? 'Scripts/python.exe' : 'bin/python');
  if (existsSync(python)) return python;
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES];
  for (const command of [
    ['python3', '-m', 'venv', environment],
    [python, ...pip],
  ]) {
    const { code, output } = await run(command);
    if (code === 0) continue;
    rmSync(environment, { recursive: true, force: true });
    throw new Failure(`${output}\nJupyterLab and marimo could not be installed.`);
  }
  return python;
}

/** Runs the tests; resolves to { ok, passed, failed }. The page must be built. */
export async function checkNotebooks(python) {
  const report = path.join(cache, 'reports', 'notebooks.json');
  mkdirSync(path.dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const { code } = await run(
    [
      ...npmProgram('@playwright/test', 'playwright'),
      ...['test', '--config', 'e2e/notebooks/playwright.config.ts'],
    ],
    {
      show: true,
      cwd: inRoot(),
      env: {
        TIMESLICE_PYTHON: python,
        TIMESLICE_PAGE: path.join(dist, 'timeslice.html'),
        TIMESLICE_REPORT: report,
      },
    },
  );
  try {
    return { ok: code === 0, ...playwrightCounts(JSON.parse(readFileSync(report, 'utf8'))) };
  } catch {
    return { ok: false, passed: 0, failed: 1 };
  }
}

await runIfEntry(import.meta.url, async ([python]) => {
  heading('The stage in notebooks');
  await build();
  const { ok, passed, failed } = await checkNotebooks(python ?? (await ownPython()));
  console.log(`\n${passed} passed, ${failed} failed`);
  if (!ok) throw new Failure('The stage in notebooks has failures.');
});
