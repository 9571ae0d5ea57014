import { defineConfig, devices } from '@playwright/test';
import { findBrowser } from '../../scripts/lib/find-browser.mjs';

const executablePath = findBrowser()?.path;
const report = process.env['TIMESLICE_REPORT'];

/** Each test starts its own server, with the Python that scripts/notebooks.mjs names. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/notebooks',
  forbidOnly: Boolean(process.env['CI']),
  retries: 0,
  workers: 2,
  fullyParallel: true,
  // Servers, kernels and front ends start at the same time, on machines of any speed.
  timeout: 240_000,
  expect: { timeout: 90_000 },
  reporter: [['list'], ...(report ? ([['json', { outputFile: report }]] as const) : [])],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
    },
  },
});
