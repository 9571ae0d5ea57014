// A browser for the end-to-end tests: the system's, else installed by apt, else Playwright's.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { aptInstall } from './apt.mjs';
import { Failure, note } from './log.mjs';
import { findBrowsers, HEADLESS } from './find-browser.mjs';
import { ask, npmProgram, patiently } from './run.mjs';

/** The first browser that really starts: a launcher may remain after its browser was removed. */
function working() {
  return findBrowsers().find(({ path }) => ask(path, ['--version', '--no-sandbox']) !== undefined);
}

function playwrightBrowser() {
  const require = createRequire(import.meta.url);
  const file = require('@playwright/test').chromium.executablePath();
  return existsSync(file) ? file : undefined;
}

/** Path of a browser for the tests, or undefined. Only looks. */
export const browserForTests = () => working()?.path ?? playwrightBrowser();

/**
 * Finds or installs a browser and passes it to the test configuration through the environment. Needs the npm
 * packages.
 */
export async function setUpBrowser() {
  let found = working();
  // Where a browser is, nobody is asked for a second one; CI has no one to ask, and the minutes count.
  const isSlow = process.env.CI && found?.from === 'the system' && !found.path.endsWith(HEADLESS);
  if ((!found || isSlow) && !playwrightBrowser()) {
    await aptInstall([HEADLESS], 30);
    found = working();
  }
  if (!found && !playwrightBrowser()) {
    await aptInstall(['chromium'], 30);
    found = working();
  }
  if (found) {
    process.env.TIMESLICE_CHROMIUM = found.path;
    note(`browser for the tests: ${found.path}`);
    return;
  }
  delete process.env.TIMESLICE_CHROMIUM;
  if (!playwrightBrowser()) {
    await patiently(
      'downloading a Chromium for Playwright',
      [...npmProgram('@playwright/test', 'playwright'), 'install', 'chromium'],
      { seconds: 60 },
    );
  }
  const own = playwrightBrowser();
  if (own) {
    note(`browser for the tests: ${own}`);
    return;
  }
  throw new Failure(
    'There is no Chromium for the end-to-end tests, and none could be installed here.\n' +
      'Install one in any way (on Debian: sudo apt-get install chromium-headless-shell), or say where one is:\n' +
      '  TIMESLICE_CHROMIUM=/path/to/chromium npm test',
  );
}
