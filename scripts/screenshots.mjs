// Takes screenshots of the built page into screenshots/, for looking at; no comparison.
//   node scripts/screenshots.mjs [--hash <fragment> --name <prefix>]…
// Every --hash (what follows # in the address) goes with the --name at the same place.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { findBrowser } from './lib/find-browser.mjs';
import { main } from './lib/entry.mjs';
import { heading, note } from './lib/log.mjs';
import { option } from './lib/options.mjs';
import { inRoot } from './lib/paths.mjs';
import { setUp } from './setup.mjs';

const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
  { width: 390, height: 844 },
];
const schemes = ['light', 'dark'];
const folder = inRoot('screenshots');

/** Prints complaints of a page, which a picture does not show. */
function listen(page, name) {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) note(`${name} console: ${message.text()}`);
  });
  page.on('pageerror', (error) => note(`${name} error: ${error.message}`));
  page.on('requestfailed', (request) =>
    note(`${name} request failed: ${request.url()} ${request.failure()?.errorText ?? ''}`),
  );
  page.on('response', (response) => {
    if (response.status() >= 400) note(`${name} HTTP ${response.status()}: ${response.url()}`);
  });
}

async function take(browser, address, name, viewport, colorScheme) {
  const context = await browser.newContext({ viewport, colorScheme });
  const page = await context.newPage();
  listen(page, name);
  await page.goto(address);
  const idle = await page
    .waitForFunction(() => window.__sim !== undefined, undefined, { timeout: 15_000 })
    .then(() => page.evaluate(() => window.__sim.whenIdle()))
    .then(() => true)
    .catch((error) => {
      note(`${name} never became idle: ${error.message.split('\n')[0]}`);
      return false;
    });
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
  // A page that scrolls sideways is broken on a phone; the picture alone would not show it.
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  if (overflow > 0) note(`${name}: wider than the window by ${overflow} px`);
  await context.close();
  return idle;
}

await main(async () => {
  const args = process.argv.slice(2);
  const hashes = option(args, '--hash', { all: true });
  const names = option(args, '--name', { all: true });
  const pages = hashes.length
    ? hashes.map((hash, index) => ({ hash, prefix: names[index] ?? `page${index + 1}` }))
    : [{ hash: '', prefix: names[0] ?? 'start' }];
  await setUp({ browser: true });
  await build();
  mkdirSync(folder, { recursive: true });
  const { serve } = await import('./lib/server.mjs');
  const { chromium } = await import('@playwright/test');
  const server = await serve({ port: 4350 });
  const browser = await chromium.launch({
    executablePath: findBrowser()?.path,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
  heading('Screenshots');
  for (const { hash, prefix } of pages) {
    for (const viewport of sizes) {
      for (const scheme of schemes) {
        const name = `${prefix}-${viewport.width}x${viewport.height}-${scheme}`;
        const address = `${server.url}${hash ? `#${hash.replace(/^#/, '')}` : ''}`;
        await take(browser, address, name, viewport, scheme);
        note(`screenshots/${name}.png`);
      }
    }
  }
  await browser.close();
  server.close();
});
