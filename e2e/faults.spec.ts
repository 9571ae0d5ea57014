import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, type Lab, test } from './fixtures';
import { DIST, StaticHost } from './static-server';

/** Where the run is, for comparing it with the one that was brought back. */
const momentOf = async (lab: Lab) => ({ now: await lab.now(), digests: await lab.digests() });

/** The run plays on from a moment, and returns to it unchanged. */
async function goesOn(lab: Lab, from: Awaited<ReturnType<typeof momentOf>>): Promise<void> {
  const { page } = lab;
  const pause = page.getByRole('button', { name: 'Pause', exact: true });
  if (!(await pause.isVisible())) await page.getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => lab.now()).toBeGreaterThan(from.now);
  await pause.click();
  await lab.idle();
  await page.evaluate((ns) => window.__sim.seek(ns), from.now);
  await lab.idle();
  expect(await momentOf(lab)).toEqual(from);
}

const BREAKAGES = [
  ['panic', /stopped on an internal error \(asked to fail, at sim-core\/wasm\/src\/lib\.rs:\d+\)/],
  ['memory', /ran out of memory \((9\d\d|10\d\d) MB are in use\)/],
] as const;

test('a core that breaks or hangs is reported, and its run is restored with its edits', async ({
  lab,
  page,
}) => {
  await lab.open('v=1&t=60');
  await lab.type('Nice of all', '4');
  const before = await momentOf(lab);

  await test.step('it hangs', async () => {
    const [worker] = page.workers();
    expect(worker).toBeDefined();
    // Never resolves: the worker is ended meanwhile.
    void worker
      ?.evaluate(() => {
        for (;;);
      })
      .catch(() => undefined);
    await page.getByRole('button', { name: 'Play' }).click();
    const notice = page.locator('.notice', { hasText: 'was brought back' });
    await expect(notice.getByRole('button', { name: 'Save the scenario as a file' })).toBeVisible();
    await goesOn(lab, before);
    await notice.getByRole('button', { name: 'Dismiss' }).click();
  });

  for (const [how, told] of BREAKAGES)
    await test.step(`it breaks: ${how}`, async () => {
      await page.evaluate((kind) => {
        window.__sim.fail(kind);
      }, how);
      const notice = page.locator('.notice.warning', { hasText: told });
      await expect(notice).toContainText('was brought back');
      await lab.idle();
      expect(await momentOf(lab)).toEqual(before);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        notice.getByRole('button', { name: 'Save the scenario as a file' }).click(),
      ]);
      const saved = JSON.parse(await readFile(await download.path(), 'utf8')) as {
        edits: unknown[];
      };
      expect(saved.edits).toHaveLength(1);
      await goesOn(lab, before);
      await notice.getByRole('button', { name: 'Dismiss' }).click();
    });
});

/** Code that runs in workers before their own code. */
async function beforeWorkers(page: Page, code: string): Promise<void> {
  await page.route('**/assets/worker-*.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${code}\n${await response.text()}` });
  });
}

const NO_SCRIPTS = [
  ['missing', { status: 404, body: '' }],
  ['a page', { contentType: 'text/html', path: path.join(DIST, 'index.html') }],
  ['too new for the browser', { contentType: 'text/javascript', body: 'let let = 1;' }],
] as const;

test('a main script that is missing, another file, too new or late is reported', async ({
  lab,
  page,
  complaints,
}) => {
  const script = '**/assets/index-*.js';
  for (const [what, fulfil] of NO_SCRIPTS)
    await test.step(what, async () => {
      await page.goto('about:blank');
      await page.route(script, (route) => route.fulfill(fulfil));
      await page.goto('./#bfs-smt');
      await expect(lab.page.getByText(/^Timeslice could not be started: .+\.$/)).toBeVisible();
      await expect(page.getByText('Reload the page')).toBeVisible();
      const reset = page.getByRole('link', { name: 'Reset' });
      await expect(reset).toHaveAttribute('href', './reset.html');
      await page.unroute(script);
    });
  complaints.length = 0;

  await test.step('never arrives', async () => {
    await page.goto('about:blank');
    await page.route(script, () => undefined);
    await page.goto('./', { waitUntil: 'commit' });
    await expect(page.getByText('Timeslice is loading …')).toBeVisible();
    const late = page.getByText('It takes longer than usual');
    await late.evaluate((element) => {
      for (const animation of element.getAnimations()) animation.finish();
    });
    await expect(late).toBeVisible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});

/** Parts that are loaded on demand: their files, how they are asked for, and what is said in their place. */
const PARTS: readonly (readonly [string, (page: Page) => Promise<unknown>, string])[] = [
  [
    'SetupPanel',
    (page) => page.getByRole('button', { name: 'Setup', exact: true }).click(),
    'Setup',
  ],
  [
    'texts',
    (page) => page.getByRole('button', { name: 'Inspect', exact: true }).click(),
    'Inspect',
  ],
  ['ReasonChooser', (page) => page.getByLabel('Step by').selectOption('a reason …'), 'The reasons'],
  ['SearchDialog', (page) => page.keyboard.press('/'), 'The search'],
  ['OpenDialog', (page) => page.getByRole('button', { name: 'Open…' }).click(), 'The dialog'],
  ['ShareDialog', (page) => page.getByRole('button', { name: 'Share' }).click(), 'The dialog'],
  ['Help', (page) => page.keyboard.press('?'), 'The help'],
  ['Replications', (page) => goTo(page, 'r=s2b'), 'The replications'],
  ['parts', (page) => goTo(page, 'l1.1'), 'The lesson'],
  ['Start', (page) => page.getByRole('link', { name: 'Start', exact: true }).click(), 'Start'],
];

const goTo = (page: Page, to: string) =>
  page.evaluate((fragment) => (location.hash = fragment), to);

/** Why a part is missing, as the host answers for the script that names all files. */
const REASONS: readonly (readonly [string, (page: Page) => Promise<unknown>, string])[] = [
  ['the host lacks it', () => Promise.resolve(), 'The host of the page does not have it.'],
  ['no network', (page) => page.route('**/sw.js', (r) => r.abort()), 'Is the network there?'],
  [
    'a new version',
    (page) => page.route('**/sw.js', (r) => r.fulfill({ body: 'newer' })),
    'A new version of Timeslice is there, and this tab still shows the old one.',
  ],
];

test('parts that are missing are named, with the reason, and the rest goes on', async ({
  lab,
  page,
  complaints,
}) => {
  const files = `**/assets/{${PARTS.map(([name]) => name).join(',')},leading}-*.js`;
  await page.route(files, (route) => route.fulfill({ status: 404 }));
  for (const [what, prepare, reason] of REASONS)
    await test.step(what, async () => {
      await prepare(page);
      await lab.open('bfs-smt&t=25');
      const told = `A part of the page could not be loaded. ${reason}`;
      await expect(page.locator('.notice', { hasText: told })).toHaveCount(1);
      await page.unroute('**/sw.js');
    });
  for (const [name, ask, what] of PARTS)
    await test.step(name, async () => {
      await ask(page);
      await expect(page.getByText(`${what} could not be loaded.`).first()).toBeAttached();
      if (name === 'Help') await page.keyboard.press('?');
    });
  await test.step('what is due is written before the page is loaded anew', async () => {
    await lab.open('bfs-smt&t=25');
    await page.unroute(files);
    await page.route('**/sw.js', (route) => route.fulfill({ body: 'newer' }));
    const box = page.getByRole('spinbutton', { name: 'Processes', exact: true });
    await box.fill('7');
    await box.press('Enter');
    const notice = page.locator('.notice', { hasText: 'A part of the page could not be loaded' });
    await Promise.all([
      page.waitForEvent('load'),
      notice.getByRole('button', { name: 'Reload' }).click(),
    ]);
    await lab.idle();
    await expect(box).toHaveValue('7');
  });
  // The browser's own words about each file, and what nobody waits for.
  const others = complaints.filter((c) => !/dynamically imported|404|ERR_FAILED/.test(c));
  complaints.splice(0, complaints.length, ...others);
});

test(
  'a network that is lost after any file of the first load is told',
  { tag: '@nightly' },
  async ({ browser, baseURL }) => {
    test.setTimeout(900_000);
    /** Opens the page, of which only so many files come; returns it with the number of files that it asked for. */
    const visit = async (most: number) => {
      const context = await browser.newContext({ serviceWorkers: 'block' });
      let files = 0;
      await context.route('**/*', (route) =>
        (files += 1) > most ? route.abort('connectionfailed') : route.continue(),
      );
      const page = await context.newPage();
      // The words of decisions are the last part that is fetched in advance.
      const last = most === Infinity ? page.waitForResponse(/\/texts-/) : null;
      await page.goto(`${baseURL ?? ''}#s.bfs-smt`, { waitUntil: 'commit' });
      await last;
      return { page, files };
    };
    const whole = await visit(Infinity);
    expect(whole.files).toBeGreaterThan(40);
    await whole.page.context().close();
    // The page alone comes, then one file more each time.
    for (let files = 1; files < whole.files; files++)
      await test.step(`after ${String(files)} files`, async () => {
        const { page } = await visit(files);
        const late = page.locator('.late');
        if (files === 1)
          await late.evaluate((element) => {
            for (const animation of element.getAnimations()) animation.finish();
          });
        const told = files === 1 ? late : page.getByText(/could not be (started|loaded)/).first();
        await expect(told).toBeVisible();
        await page.context().close();
      });
  },
);

/** A browser in which the simulation cannot be loaded: what is prepared, the fragment, what is said. */
const NO_WORKERS: readonly (readonly [string, (page: Page) => Promise<unknown>, string, RegExp])[] =
  [
    [
      'without the file of the worker',
      (page) => page.route('**/assets/worker-*.js', (route) => route.fulfill({ status: 404 })),
      '',
      /The simulation could not be loaded.*Reload the page/s,
    ],
    [
      'that refuses workers',
      (page) =>
        page.addInitScript(() => {
          window.Worker = function () {
            throw new DOMException('no workers here', 'SecurityError');
          } as unknown as typeof Worker;
        }),
      '#bfs-smt&k=3',
      /could not be loaded \(no workers here\)/,
    ],
    [
      'without memory for the core',
      (page) =>
        beforeWorkers(
          page,
          `const out = () => Promise.reject(new RangeError('WebAssembly.instantiate(): Out of memory'));
         WebAssembly.instantiate = WebAssembly.instantiateStreaming = out;`,
        ),
      '',
      /ran out of memory.+Close other tabs/,
    ],
    [
      'without WebAssembly',
      async (page) => {
        const code = 'delete self.WebAssembly;';
        await beforeWorkers(page, code);
        await page.addInitScript(code);
      },
      '',
      /could not be loaded.+has WebAssembly switched off/,
    ],
  ];

test('a browser that cannot load the simulation is reported', async ({ context }) => {
  for (const [what, prepare, fragment, told] of NO_WORKERS)
    await test.step(what, async () => {
      // What is prepared stays with its page.
      const page = await context.newPage();
      await prepare(page);
      await page.goto(`./${fragment}`);
      const alert = page.getByRole('alert');
      await expect(alert).toContainText(told);
      await expect(alert.getByRole('link', { name: 'Reset' })).toBeVisible();
      if (fragment !== '') {
        const without = alert.getByRole('link', { name: 'Open it without the link' });
        await expect(without).toHaveAttribute('href', /\/$/);
      }
      // The page may still be loading a second worker.
      await page.unrouteAll({ behavior: 'wait' });
      await page.close();
    });
});

test('a frame without an origin is reported', async ({ page }) => {
  for (const isShared of [false, true])
    await test.step(`files ${isShared ? 'for all' : 'for this host alone'}`, async () => {
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
  await test.step('answers in a lesson last until it is closed, and that is said', async () => {
    await lab.open('l1.2');
    await page.keyboard.press('b');
    await page.getByRole('button', { name: 'Keep my guess' }).click();
    const told = page.locator('.notice', { hasText: 'keep your answers in lessons' });
    const [answers] = await Promise.all([
      page.waitForEvent('download'),
      told.getByRole('button', { name: 'Save as a file' }).click(),
    ]);
    expect(await readFile(await answers.path(), 'utf8')).toMatch(/my answer: .+#l1\.\d&a=2\./s);
  });
});
