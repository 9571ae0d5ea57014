// The built page in a browser, for scripts that take pictures of it or measure it.
import { readFileSync } from 'node:fs';
import { findBrowser } from './find-browser.mjs';
import { inRoot } from './paths.mjs';
import { serve } from './server.mjs';

/**
 * Serves dist/ and opens a browser. `open(options)` gives a page that is idle at a fragment or a scenario (`script`
 * runs before the page's own scripts), and `view(address, size)` any other page; `complaints` collects messages of
 * the console. Call `close` at the end.
 */
export async function browse({ port = 4404 } = {}) {
  const { chromium } = await import('@playwright/test');
  const server = await serve({ port });
  const executablePath = findBrowser()?.path;
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const complaints = [];
  async function open({ fragment = '', scenario, width, height, context = {}, script = '' }) {
    const page = await browser.newPage({ viewport: { width, height }, ...context });
    if (script !== '') await page.addInitScript(script);
    const where = fragment || scenario?.name;
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()))
        complaints.push(`${where}: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`${where}: ${error.message}`));
    await page.goto(`${server.url}${fragment === '' ? '' : `#${fragment}`}`);
    await page.waitForFunction(() => '__sim' in window);
    await page.evaluate(() => window.__sim.whenIdle());
    if (scenario) {
      await page.evaluate((json) => window.__sim.open(json), JSON.stringify(scenario));
      await page.evaluate(() => window.__sim.whenIdle());
    }
    return page;
  }
  /** Another page, as it is. */
  async function view(address, viewport) {
    const page = await browser.newPage({ viewport });
    await page.goto(address);
    return page;
  }
  async function close() {
    await browser.close();
    await server.close();
  }
  return { open, view, close, complaints };
}

/** A scenario with a number of threads on a machine: half of them hogs, half of them block now and then. */
export function crowd(machine, threads, schedulers) {
  const half = Math.ceil(threads / 2);
  const groups = [
    { name: 'hog', count: half, behaviour: { kind: 'compute' } },
    { name: 'type', count: threads - half, behaviour: { kind: 'interactive' } },
  ];
  return {
    version: 1,
    name: `${threads} threads on ${typeof machine === 'string' ? machine : machine.name}`,
    seed: 1,
    machine,
    schedulers,
    groups: groups.filter((g) => g.count > 0),
    end: { atNs: 600_000_000_000 },
  };
}

/** Twice the 32-core Opteron. */
export function sixtyFour() {
  const machine = JSON.parse(readFileSync(inRoot('scenarios/machines/mc32.json'), 'utf8'));
  machine.id = 'mc64';
  machine.name = 'Twice the 32-core Opteron';
  machine.topology.packages[0].count *= 2;
  delete machine.memory.distances;
  return machine;
}
