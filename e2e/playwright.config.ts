import { defineConfig, devices } from '@playwright/test';
import { findBrowser } from '../scripts/lib/find-browser.mjs';

// With another port, two checkouts can run their tests at the same time.
const port = Number(process.env['TIMESLICE_E2E_PORT'] ?? 4317);
const inCi = Boolean(process.env['CI']);
// Undefined: Playwright uses its own download, which set-up tries last.
const executablePath = findBrowser()?.path;

export default defineConfig({
  testDir: '.',
  // They need their own servers: scripts/notebooks.mjs.
  testIgnore: '**/e2e/notebooks/**',
  outputDir: '../test-results',
  forbidOnly: inCi,
  // One wait that failed on a busy machine shall not refuse a day's work. The run names each test that needed its second
  // attempt (FLAKY), and the next change mends it.
  retries: inCi ? 1 : 0,
  workers: 2,
  fullyParallel: true,
  // Both limits are for hangs: on a slow machine a test takes several times as long as on a fast one.
  timeout: 180_000,
  // Pictures are independent of the system: the page brings its fonts, and Chromium draws in software.
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  updateSnapshots: 'none',
  expect: { timeout: 30_000, toHaveScreenshot: { maxDiffPixelRatio: 0.005 } },
  reporter: [['list'], ['json', { outputFile: '../.cache/reports/e2e.json' }]],
  use: {
    baseURL: `http://127.0.0.1:${port}/`,
    trace: 'off',
    // Every test opens the page for the first time; offline.spec.ts tests later visits.
    serviceWorkers: 'block',
  },
  projects: [
    {
      name: 'chromium',
      use: {
        ...devices['Desktop Chrome'],
        viewport: { width: 1280, height: 800 },
        launchOptions: {
          ...(executablePath === undefined ? {} : { executablePath }),
          args: [
            '--no-sandbox',
            '--disable-gpu',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
            '--no-first-run',
            // Letters are smoothed alike on every system.
            '--disable-lcd-text',
            '--font-render-hinting=none',
            '--force-color-profile=srgb',
          ],
        },
      },
    },
  ],
  webServer: {
    command: `node scripts/serve.mjs --port ${port} --strict-port`,
    cwd: '..',
    url: `http://127.0.0.1:${port}/`,
    reuseExistingServer: false,
    timeout: 20_000,
  },
});
