import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { DIST, StaticHost } from './static-server';

test('a worker that hangs is replaced, and the run is restored with its edits', async ({
  lab,
  page,
}) => {
  await lab.open('v=1&t=60');
  await lab.type('Nice of all', '4');
  const before = { now: await lab.now(), digests: await lab.digests() };
  const [worker] = page.workers();
  expect(worker).toBeDefined();
  // Never resolves: the worker is ended meanwhile.
  void worker
    ?.evaluate(() => {
      for (;;);
    })
    .catch(() => undefined);
  await page.getByRole('button', { name: 'Play' }).click();
  await expect(page.locator('.notice', { hasText: 'was brought back' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save the scenario as a file' })).toBeVisible();
  await expect.poll(() => lab.now()).toBeGreaterThan(before.now);
  await page.getByRole('button', { name: 'Pause' }).click();
  await lab.idle();
  await lab.open(`${new URL(page.url()).hash.slice(1).replace(/&t=.*/, '')}&t=60`);
  expect({ now: await lab.now(), digests: await lab.digests() }).toEqual(before);
});

for (const [how, told] of [
  ['panic', /stopped on an internal error \(asked to fail, at sim-core\/wasm\/src\/lib\.rs:\d+\)/],
  ['memory', /ran out of memory \((9\d\d|10\d\d) MB are in use\)/],
] as const) {
  test(`a core that breaks (${how}) is reported, and its run is restored`, async ({
    lab,
    page,
  }) => {
    await lab.open('v=1&t=60');
    await lab.type('Nice of all', '4');
    const before = { now: await lab.now(), digests: await lab.digests() };
    await page.evaluate((kind) => {
      window.__sim.fail(kind);
    }, how);
    const notice = page.locator('.notice.warning', { hasText: 'was brought back' });
    await expect(notice).toContainText(told);
    await lab.idle();
    expect({ now: await lab.now(), digests: await lab.digests() }).toEqual(before);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      notice.getByRole('button', { name: 'Save the scenario as a file' }).click(),
    ]);
    const saved = JSON.parse(await readFile(await download.path(), 'utf8')) as { edits: unknown[] };
    expect(saved.edits).toHaveLength(1);
  });
}

/** Code that runs in workers before their own code. */
async function beforeWorkers(page: Page, code: string): Promise<void> {
  await page.route('**/assets/worker-*.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${code}\n${await response.text()}` });
  });
}

for (const [what, fulfil] of [
  ['missing', { status: 404, body: '' }],
  ['a page', { contentType: 'text/html', path: path.join(DIST, 'index.html') }],
  ['too new for the browser', { contentType: 'text/javascript', body: 'let let = 1;' }],
] as const)
  test(`a main script that is ${what} is reported`, async ({ lab, page, complaints }) => {
    await page.route('**/assets/index-*.js', (route) => route.fulfill(fulfil));
    await page.goto('./#bfs-smt');
    await expect(lab.page.getByText(/^Timeslice could not be started: .+\.$/)).toBeVisible();
    await expect(page.getByText('Reload the page')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Reset' })).toHaveAttribute('href', './reset.html');
    complaints.length = 0;
  });

test('a main script that never arrives is reported after a while', async ({ page }) => {
  // The rest of the page is there; the script never arrives.
  await page.route('**/assets/index-*.js', () => undefined);
  await page.goto('./', { waitUntil: 'commit' });
  await expect(page.getByText('Timeslice is loading …')).toBeVisible();
  const late = page.getByText('It takes longer than usual');
  await late.evaluate((element) => {
    for (const animation of element.getAnimations()) animation.finish();
  });
  await expect(late).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a missing worker is reported', async ({ page, lab, complaints }) => {
  await page.route('**/assets/worker-*.js', (route) => route.fulfill({ status: 404 }));
  await page.goto('./');
  const alert = lab.page.getByRole('alert');
  await expect(alert).toContainText('The simulation could not be loaded');
  await expect(alert).toContainText('Reload the page');
  await expect(alert.getByRole('link', { name: 'Reset' })).toBeVisible();
  complaints.length = 0;
});

test('a worker that the browser refuses is reported', async ({ page, lab }) => {
  await page.addInitScript(() => {
    window.Worker = function () {
      throw new DOMException('no workers here', 'SecurityError');
    } as unknown as typeof Worker;
  });
  await page.goto('./#bfs-smt&k=3');
  const alert = lab.page.getByRole('alert');
  await expect(alert).toContainText('could not be loaded (no workers here)');
  await expect(alert.getByRole('link', { name: 'Open it without the link' })).toHaveAttribute(
    'href',
    /\/$/,
  );
});

for (const [what, code, told] of [
  [
    'without memory for the core',
    `const out = () => Promise.reject(new RangeError('WebAssembly.instantiate(): Out of memory'));
     WebAssembly.instantiate = WebAssembly.instantiateStreaming = out;`,
    /ran out of memory.+Close other tabs/,
  ],
  [
    'without WebAssembly',
    'delete self.WebAssembly;',
    /could not be loaded.+has WebAssembly switched off/,
  ],
] as const)
  test(`a browser ${what} is reported`, async ({ page, lab, complaints }) => {
    await beforeWorkers(page, code);
    if (code.startsWith('delete')) await page.addInitScript(code);
    await page.goto('./');
    await expect(lab.page.getByRole('alert')).toContainText(told);
    complaints.length = 0;
  });

for (const isShared of [false, true])
  test(`a frame without an origin is reported (files ${isShared ? 'for all' : 'for this host alone'})`, async ({
    page,
  }) => {
    const host = await StaticHost.start('/');
    host.isShared = isShared;
    const src = `${host.url}#bfs-smt&embed=1`;
    host.pages.set(
      'course/',
      `<!doctype html><iframe sandbox="allow-scripts" src="${src}" width="700" height="500"></iframe>`,
    );
    await page.goto(`${host.url}course/`);
    const frame = page.frameLocator('iframe');
    await expect(frame.getByText('add allow-same-origin')).toBeVisible();
    await page.goto('about:blank');
    await host.stop();
  });

test('a page without storage works, and says that it keeps nothing', async ({ lab, page }) => {
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
      Object.defineProperty(window, name, { get: refuse });
    if (typeof StorageManager === 'undefined') return;
    StorageManager.prototype.persisted = StorageManager.prototype.persist = refuse;
  });
  await lab.open('bfs-smt');
  await lab.type('Processes', '7');
  const notice = page.locator('.notice', { hasText: 'does not let the page keep your work' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    notice.getByRole('button', { name: 'Save as a file' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.json$/);
  await page.getByRole('button', { name: 'Open…' }).click();
  await expect(page.getByRole('dialog', { name: 'Your work' })).toContainText(
    'does not let the page keep your work',
  );
});
