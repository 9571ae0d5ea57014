import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from './fixtures';

const BINARY = path.join(
  path.dirname(fileURLToPath(import.meta.url)),
  '..',
  'target',
  'ci',
  'timeslice',
);

// The same under Node is a step of the short set (scripts/digests.mjs).
test(
  'the browser computes the same digests as the native core',
  { tag: '@nightly' },
  async ({ lab, page }) => {
    test.setTimeout(240_000);
    expect(
      existsSync(BINARY),
      `${BINARY} is missing; build it with: cargo build --profile ci --bin timeslice`,
    ).toBe(true);
    const native: unknown = JSON.parse(
      execFileSync(BINARY, ['digest', '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 }),
    );
    await lab.open();
    const browser: unknown = JSON.parse(await page.evaluate(() => window.__sim.shippedDigests()));
    expect(Array.isArray(browser) && browser.length > 0).toBe(true);
    expect(browser).toEqual(native);
  },
);
