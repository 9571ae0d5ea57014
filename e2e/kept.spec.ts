/** Work that the browser keeps. */
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { expect, Lab, test } from './fixtures';

const SCENARIO = {
  version: 1,
  name: 'From a file',
  machine: 'i7860',
  schedulers: [{ id: 'bfs' }],
  groups: [{ name: 'dhry', count: 2, behaviour: { kind: 'dhrystone' } }],
  end: { atNs: 1_000_000_000 },
};

const fileOf = (scenario: unknown, name = 'mine.json') => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(scenario)),
});

/** A scenario of up to 4 MB, all of it valid: with edits near the end. */
function largeScenario(name = 'Large', count = 10_000) {
  const cpus = Array.from({ length: 96 }, (_, i) => i);
  const edits = Array.from({ length: count }, (_, i) => ({
    atNs: 900_000_000 + i,
    set: { 'groups.dhry.allowed': cpus },
  }));
  return { ...SCENARIO, name, machine: 'epyc9654', edits };
}

async function openFiles(page: Page, ...files: ReturnType<typeof fileOf>[]): Promise<void> {
  await page.getByRole('button', { name: 'Open…' }).click();
  await page.getByLabel('Open a file').setInputFiles(files);
}

/** Names of kept work, newest first, as the dialog shows them. */
async function keptNames(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Open…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your work' });
  await expect(dialog).toBeVisible();
  const names = dialog.getByRole('textbox', { name: /^Name of/ });
  const list = await names.evaluateAll((all) => all.map((i) => (i as HTMLInputElement).value));
  await dialog.getByRole('button', { name: 'Close' }).click();
  return list;
}

/** Pieces of work in the database of the page. */
function keptCount(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name);
    if (!names.includes('timeslice')) return 0;
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => {
        request.onsuccess = () => {
          resolve(request.result);
        };
      });
    const db = await done(indexedDB.open('timeslice'));
    const count = await done(db.transaction('kept').objectStore('kept').count());
    db.close();
    return count;
  });
}

test(
  'a valid file of 4 MB is kept beside all that was kept before',
  { tag: '@nightly' },
  async ({ lab, page }) => {
    await lab.open();
    await lab.type('Processes', '7');
    await expect.poll(() => keptNames(page)).toHaveLength(1);
    const before = await keptNames(page);
    const files = [largeScenario('Half', 5_000), largeScenario()].map((scenario) =>
      fileOf(scenario),
    );
    expect(files[1]?.buffer.length).toBeGreaterThan(3_200_000);
    for (const [i, name] of ['Half', 'Large'].entries()) {
      await openFiles(page, ...files.slice(i, i + 1));
      await expect(lab.scenario()).toHaveText(name);
      await lab.idle();
    }
    await expect.poll(() => keptNames(page)).toEqual(['Large', 'Half', ...before]);
    await expect(page.locator('.notice', { hasText: 'keep your work' })).toHaveCount(0);
    await lab.start();
    await lab.work('Large').click();
    await expect(lab.scenario()).toHaveText('Large');
    await lab.idle();
  },
);

test('work survives a browser that is killed', async ({ baseURL }, info) => {
  const { launchOptions = {} } = info.project.use;
  const start = () =>
    chromium.launchPersistentContext(info.outputPath('profile'), {
      ...launchOptions,
      ...(baseURL === undefined ? {} : { baseURL }),
      serviceWorkers: 'block',
      viewport: { width: 1280, height: 800 },
    });
  const visit = async (context: BrowserContext) => new Lab(await context.newPage());
  let context = await start();
  let lab = await visit(context);
  await lab.open();
  await lab.type('Processes', '7');
  await expect.poll(() => keptCount(lab.page)).toBe(1);
  // No page hears of it.
  const session = await context.newCDPSession(lab.page);
  const gone = context.waitForEvent('close');
  void session.send('Browser.crash').catch(() => undefined);
  await gone;
  context = await start();
  lab = await visit(context);
  await lab.start();
  await lab.work('Four jobs').click();
  await expect(lab.page.getByRole('spinbutton', { name: 'Processes', exact: true })).toHaveValue(
    '7',
  );
  await context.close();
});

/** Numbers of the processes in which pages and their workers run. */
async function pageProcesses(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

test('work survives its tab’s process being killed, and the tab goes on with it when it is loaded again', async ({
  baseURL,
}, info) => {
  // A browser of its own: all pages in it are of this test.
  const browser = await chromium.launch(info.project.use.launchOptions);
  const context = await browser.newContext({
    ...(baseURL === undefined ? {} : { baseURL }),
    serviceWorkers: 'block',
    viewport: { width: 1280, height: 800 },
  });
  const lab = new Lab(await context.newPage());
  const { page } = lab;
  // Playwright gives up a page that has crashed; the browser’s own protocol does not.
  const session = await context.newCDPSession(page);
  const told = async (expression: string): Promise<unknown> => {
    const { result } = await session.send('Runtime.evaluate', { expression, awaitPromise: true });
    return result.value;
  };
  await lab.open();
  await lab.type('Processes', '7');
  await expect.poll(() => keptCount(page)).toBe(1);
  const id = await page.evaluate(() => (history.state as { work: unknown }).work);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => lab.now()).toBeGreaterThan(0);

  const crashed = page.waitForEvent('crash');
  // Workers live in the process of their page.
  for (const number of await pageProcesses(browser)) process.kill(number, 'SIGKILL');
  await crashed;
  await session.send('Page.reload');
  await expect.poll(() => told(`'__sim' in window`)).toBe(true);
  await told('window.__sim.whenIdle()');
  const box = `[...document.querySelectorAll('input[type=number]')].find((box) => box.labels[0]?.textContent.trim() === 'Processes')?.value`;
  expect(await told(box)).toBe('7');
  await expect.poll(() => told('history.state.work')).toBe(id);
  expect(await told('location.hash')).toMatch(/count=7@/);
  await browser.close();
});

test('work has a name and a list of differences, is opened at Start, and can be forgotten and restored', async ({
  lab,
  page,
}) => {
  await lab.open('bfs-smt');
  await lab.type('Processes', '7');
  await expect.poll(() => keptNames(page)).toHaveLength(1);
  await page.getByRole('button', { name: 'Open…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your work' });
  await expect(dialog.getByRole('listitem')).toContainText(/from .+: .*\d threads of dhry at/);
  const name = dialog.getByRole('textbox', { name: /^Name of/ });
  await name.fill('Seven of them');
  await name.press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Name of Seven of them' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(lab.scenario()).toHaveText('Seven of them');
  await page.getByRole('link', { name: 'Start', exact: true }).click();
  await page.locator('.card[href="#s.s0-v890"]').click();
  await expect(lab.scenario()).toContainText('18 hogs');
  await lab.idle();
  await page.getByRole('link', { name: 'Start', exact: true }).click();
  const card = lab.work('Seven of them');
  await expect(card).toContainText('threads of dhry at');
  const id = /kept=(.+)/.exec((await card.getAttribute('href')) ?? '')?.[1];
  await card.click();
  await expect(lab.scenario()).toHaveText('Seven of them');
  await expect(page.getByRole('spinbutton', { name: 'Processes', exact: true })).toHaveValue('7');
  // A reloaded page goes on with it instead of beginning new work.
  await expect.poll(() => page.evaluate(() => (history.state as { work: unknown }).work)).toBe(id);
  await page.reload();
  await lab.idle();
  await expect(lab.scenario()).toHaveText('Seven of them');
  await lab.type('Processes', '5');
  await expect(page).toHaveURL(/count=5@/);
  expect(await keptNames(page)).toEqual(['Seven of them']);

  await test.step('forgotten work can be restored', async () => {
    await page.getByRole('button', { name: 'Open…' }).click();
    await page.getByRole('button', { name: 'Forget Seven of them' }).click();
    await expect(page.getByText('Nothing yet.')).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await expect.poll(() => keptNames(page)).toEqual(['Seven of them']);
  });
});

test(
  'work that an older version kept is taken over once',
  { tag: '@nightly' },
  async ({ lab, page }) => {
    await page.addInitScript(
      (scenario) => {
        const old = { name: 'Old', baseId: 'bfs-smt', t: 25e6, savedAt: 1, scenario };
        if (location.protocol === 'about:' || localStorage.getItem('been')) return;
        localStorage.setItem('been', 'yes');
        localStorage.setItem('timeslice.work.old1', JSON.stringify(old));
      },
      JSON.stringify({ ...SCENARIO, name: 'Old' }),
    );
    await lab.start();
    await expect.poll(() => keptNames(page)).toEqual(['Old']);
    expect(await page.evaluate(() => localStorage.getItem('timeslice.work.old1'))).toBeNull();
    await lab.work('Old').click();
    await expect(lab.lanes()).toHaveCount(1);
    await lab.idle();
    expect(await lab.now()).toBe(25e6);
    await page.getByRole('button', { name: 'Open…' }).click();
    await page.getByRole('button', { name: 'Forget Old' }).click();
    await expect(page.getByText('Nothing yet.')).toBeVisible();
    await lab.open();
    expect(await keptNames(page)).toEqual([]);
  },
);

test('two tabs with the same work do not overwrite each other', async ({ lab, page, context }) => {
  await lab.open();
  await openFiles(page, fileOf(SCENARIO));
  await lab.idle();
  const other = new Lab(await context.newPage());
  await other.start();
  await other.work('From a file').click();
  await expect(other.page.locator('.notice', { hasText: 'in another tab' })).toBeVisible();
  await other.idle();
  await other.type('Processes', '3');
  await expect.poll(() => keptNames(other.page)).toEqual(['From a file', 'From a file']);
});

test('a browser without space says so, and deletes nothing', async ({ lab, page, baseURL }) => {
  // Before the page opens its tables: the browser checks the space only now and then.
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(baseURL ?? '');
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 100_000 });
  await lab.open();
  await openFiles(page, fileOf(SCENARIO));
  await expect.poll(() => keptNames(page)).toEqual(['From a file']);
  await openFiles(page, fileOf(largeScenario()));
  const notice = page.locator('.notice.warning', { hasText: 'no room left for “Large”' });
  await expect(notice.getByRole('button', { name: 'Save as a file' })).toBeVisible();
  await lab.idle();
  expect(await keptNames(page)).toEqual(['From a file']);
});
