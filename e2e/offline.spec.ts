import { cp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, idle, Lab, test } from './fixtures';
import { DIST, StaticHost } from './static-server';

test.use({ serviceWorkers: 'allow' });

/** A worker stores the whole page before it is there, which takes long on a busy computer. */
const HANG_MS = 150_000;

/** Opens the page below a path, with everything stored by its service worker. */
async function openKept(page: Page, host: StaticHost): Promise<void> {
  await page.goto(`${host.url}#bfs-smt&t=25`);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await idle(page);
}

test('after one visit it makes no requests, and opens without a network, with its manual, below any path', async ({
  page,
}) => {
  const host = await StaticHost.start('/courses/os/lab/');
  await openKept(page, host);
  const digests = await page.evaluate(() => window.__sim.digests());
  const share = async () => {
    await page.getByRole('button', { name: 'Share' }).click();
    await expect(page.getByLabel(/^Link, /)).toHaveValue(/d=/);
    await page.getByRole('button', { name: 'Close' }).click();
  };

  await test.step('no requests once it is open', async () => {
    const before = host.asked.length;
    await share();
    await page.getByRole('button', { name: 'Step', exact: true }).click();
    await idle(page);
    // In the first visit the worker does not control the page yet; its requests are stored and go to this host.
    const later = host.asked.slice(before).filter((file) => !/^(assets\/|icon)/.test(file));
    expect(later).toEqual([]);
  });

  await host.stop();
  await test.step('the laboratory without a network', async () => {
    await page.goto('about:blank');
    await page.goto(`${host.url}#bfs-smt&t=25`);
    await idle(page);
    expect(await page.evaluate(() => window.__sim.digests())).toEqual(digests);
    // Parts that are loaded on demand are stored as well.
    await share();
    await page.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => page.evaluate(() => window.__sim.nowNs())).toBeGreaterThan(25e6);
  });

  await test.step('the manual without a network', async () => {
    await page.goto(`${host.url}manual/laboratory.html`);
    await expect(page.getByRole('heading', { level: 1, name: 'The laboratory' })).toBeVisible();
    const seen = await page
      .locator('main img')
      .first()
      .evaluate(async (img: HTMLImageElement) => {
        await img.decode();
        return img.naturalWidth;
      });
    expect(seen).toBe(1280);
    await page.getByRole('searchbox', { name: 'Search the manual' }).fill('privacy');
    await page
      .getByRole('link', { name: /^Privacy/ })
      .first()
      .click();
    await expect(page.getByRole('heading', { level: 1, name: /^Privacy/ })).toBeVisible();
  });
});

test('a new version waits for a pause and for consent, and loses nothing', async ({ page }) => {
  const host = await StaticHost.start('/');
  await openKept(page, host);
  host.change = (file, text) =>
    file === 'sw.js' ? Buffer.concat([text, Buffer.from('\n// newer')]) : text;
  await page.goto('about:blank');
  await page.goto(`${host.url}#v=2&x=bfs-smt&k=7&t=25&play=1`);
  const isWaiting = () =>
    page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null);
  await expect.poll(isWaiting, { timeout: HANG_MS }).toBe(true);
  const offer = page.getByRole('button', { name: 'Update' });
  await expect(offer).toHaveCount(0);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(offer).toBeVisible();
  await idle(page);
  const before = await page.evaluate(() => window.__sim.nowNs());
  await Promise.all([page.waitForEvent('load'), offer.click()]);
  // The link contains play, so it goes on from where it was.
  await page.waitForFunction((t) => '__sim' in window && window.__sim.nowNs() > t, before);
  await expect(page.getByRole('spinbutton', { name: 'Processes', exact: true })).toHaveValue('7');
  await host.stop();
});

/** Makes the next version of the page: its scripts have other names, as after every build. */
async function makeNewer(folder: string): Promise<void> {
  const skipped = [path.join(DIST, 'manual'), path.join(DIST, 'timeslice')];
  const filter = (file: string) => !skipped.some((start) => file.startsWith(start));
  await cp(DIST, folder, { recursive: true, filter });
  const assets = path.join(folder, 'assets');
  const names = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const newNames = new Map(names.map((name) => [name, name.replace(/.{4}\.js$/, '_new.js')]));
  const files = [...names.map((name) => path.join('assets', name)), 'index.html', 'sw.js'];
  for (const file of files.map((name) => path.join(folder, name))) {
    const text = await readFile(file, 'utf8');
    const newer = text.replaceAll(/[\w.-]+\.js\b/g, (name) => newNames.get(name) ?? name);
    const kept = newer.replaceAll(/\{url:"manual\/[^{}]*\},?/g, '');
    await writeFile(file, kept.replace(/("index.html",revision:")\w+/, '$1newer'));
  }
  for (const [name, to] of newNames) await rename(path.join(assets, name), path.join(assets, to));
}

test('a new version that one tab takes: the others say so, keep their work, and take it too', async ({
  page,
  context,
}, info) => {
  test.slow();
  const host = await StaticHost.start('/');
  const newer = info.outputPath('newer');
  await makeNewer(newer);
  await openKept(page, host);
  const open = async (processes: number) => {
    const tab = await context.newPage();
    await tab.goto(`${host.url}#v=2&x=bfs-smt&k=${String(processes)}&t=25`);
    await idle(tab);
    return tab;
  };
  const isNew = (tab: Page) =>
    expect(tab.locator('script[type=module][src*="_new.js"]')).toHaveCount(1);
  const [asks, misses] = [await open(7), await open(3)];
  await new Lab(misses).type('Processes', '5');
  host.folder = newer;
  await asks.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update();
  });
  const offers = { name: 'Update', exact: true };
  for (const tab of [asks, misses])
    await expect(tab.getByRole('button', offers)).toBeVisible({ timeout: HANG_MS });

  await test.step('the tab that asks', async () => {
    await page.bringToFront();
    await page.reload();
    await idle(page);
    const offer = page.getByRole('button', offers);
    await expect(offer).toBeVisible();
    await Promise.all([page.waitForEvent('load'), offer.click()]);
    await isNew(page);
  });

  await test.step('a tab that asks after that', async () => {
    await asks.bringToFront();
    await Promise.all([asks.waitForEvent('load'), asks.getByRole('button', offers).click()]);
    await idle(asks);
    await isNew(asks);
    await expect(asks.getByRole('spinbutton', { name: 'Processes', exact: true })).toHaveValue('7');
  });

  await test.step('a tab whose parts are gone', async () => {
    await misses.bringToFront();
    await misses.getByRole('button', { name: 'Share' }).click();
    const notice = misses.locator('.notice.warning', {
      hasText: 'A new version of Timeslice is there',
    });
    await expect(notice).toBeVisible();
    await expect(misses.getByText('Is the network there?')).toHaveCount(0);
    await Promise.all([misses.waitForEvent('load'), notice.getByRole('button', offers).click()]);
    await idle(misses);
    await isNew(misses);
    await expect(misses.getByRole('spinbutton', { name: 'Processes', exact: true })).toHaveValue(
      '5',
    );
    await misses.getByRole('button', { name: 'Share' }).click();
    await expect(misses.getByLabel(/^Link, /)).toHaveValue(/d=/);
  });
  await host.stop();
});

test('the service worker answers for its own files only, and the reset page removes it', async ({
  page,
}) => {
  const host = await StaticHost.start('/');
  host.pages.set('course/', '<!doctype html><title>Another page</title>');
  host.pages.set('notes.html', '<!doctype html><title>Notes</title>');
  await openKept(page, host);
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.goto(`${host.url}course/`);
  await expect(page).toHaveTitle('Another page');
  await page.goto(`${host.url}notes.html`);
  await expect(page).toHaveTitle('Notes');
  await page.goto(`${host.url}reset.html`);
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(page.getByRole('status')).toContainText('Done');
  expect(
    await page.evaluate(async () => [
      (await navigator.serviceWorker.getRegistrations()).length,
      (await caches.keys()).length,
    ]),
  ).toEqual([0, 0]);

  // Its own page opens without a network, whatever follows its name.
  await openKept(page, host);
  await host.stop();
  for (const own of ['', 'index.html', '?from=course', 'index.html?a=1&b=2']) {
    await page.goto('about:blank');
    await page.goto(`${host.url}${own}#bfs-smt&t=25`);
    await idle(page);
  }
});

for (const first of ['', 'v1/'])
  test(
    `versions beside each other keep to themselves (${first === '' ? 'newer' : 'older'} first)`,
    {
      tag: first === '' ? [] : '@nightly',
    },
    async ({ page }) => {
      test.slow();
      const host = await StaticHost.start('/');
      host.copies.push('v1/');
      host.change = (file, text) =>
        file === 'v1/index.html'
          ? Buffer.from(text.toString().replace('<html ', '<html data-version="1" '))
          : text;
      const visit = async (folder: string) => {
        await page.goto('about:blank');
        await page.goto(`${host.url}${folder}#bfs-smt&t=25`);
        const old = page.locator('html[data-version="1"]');
        await expect(old).toHaveCount(folder === '' ? 0 : 1);
        await idle(page);
      };
      for (const folder of [first, first === '' ? 'v1/' : '', first]) {
        await visit(folder);
        // It has its own worker, not that of a folder above.
        await expect
          .poll(
            () =>
              page.evaluate(
                async () => (await navigator.serviceWorker.getRegistration())?.active?.scriptURL,
              ),
            { timeout: HANG_MS },
          )
          .toBe(`${host.url}${folder}sw.js`);
        await expect(page.getByRole('button', { name: 'Update' })).toHaveCount(0);
      }
      await host.stop();
      await visit('');
      await visit('v1/');
    },
  );
