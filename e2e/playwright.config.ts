import { defineConfig, devices } from '@playwright/test';
import { findBrowser } from '../scripts/lib/find-browser.mjs';

// Another port lets two checkouts run their tests at the same time.
const port = Number(process.env['TIMESLICE_E2E_PORT'] ?? 4317);
const inCi = Boolean(process.env['CI']);
// Undefined lets Playwright use its own download, which is the last thing that set-up tries.
const executablePath = findBrowser()?.path;

export default defineConfig({
  testDir: '.',
  // They need servers of their own: scripts/notebooks.mjs.
  testIgnore: '**/e2e/notebooks/**',
  outputDir: '../test-results',
  forbidOnly: inCi,
  // A test that passes at the second attempt has found something: show it at the first.
  retries: 0,
  workers: 2,
  fullyParallel: true,
  timeout: 60_000,
  // Pictures of painters, whatever the system: the page brings its own letters, and Chromium draws in software.
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  updateSnapshots: 'none',
  expect: { toHaveScreenshot: { maxDiffPixelRatio: 0.005 } },
  reporter: [['list'], ['json', { outputFile: '../.cache/reports/e2e.json' }]],
  use: {
    baseURL: `http://127.0.0.1:${port}/`,
    trace: 'off',
    // Every test opens the page for the first time; offline.spec.ts is about the others.
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
            // Letters of one shade on every system.
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
