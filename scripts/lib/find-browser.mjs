// Finds a Chromium of this system for the tests. Only looks; scripts/lib/setup-browser.mjs installs one. Playwright
// finds its own download by itself.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { searchPath } from './run.mjs';

/** Draws as Chromium does, and needs less than half of the processor: it has no window, no profile and no extensions. */
export const HEADLESS = 'chromium-headless-shell';

const names = [
  HEADLESS,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'chromium.exe',
  'chrome.exe',
];

const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Every candidate that exists, best first.
 * @returns {{ path: string, from: string }[]}
 */
export function findBrowsers() {
  const chosen = process.env.TIMESLICE_CHROMIUM;
  return [
    ...(chosen ? [{ path: chosen, from: 'TIMESLICE_CHROMIUM' }] : []),
    ...names.flatMap((name) =>
      searchPath().map((folder) => ({ path: path.join(folder, name), from: 'the system' })),
    ),
    ...elsewhere.map((file) => ({ path: file, from: 'the system' })),
  ].filter((candidate) => existsSync(candidate.path));
}

/** @returns {{ path: string, from: string } | undefined} */
export const findBrowser = () => findBrowsers()[0];
