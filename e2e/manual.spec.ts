/** The manual beside the page: found, read and searched, by keys, on a narrow screen, without a network. */
import type { Page } from '@playwright/test';
import { PAGES } from '../scripts/lib/manual/contents.mjs';
import { violations, WCAG } from './axe';
import { expect, test } from './fixtures';
import { StaticHost } from './static-server';

const FIELD = 'Search the manual';

async function read(page: Page, id: string): Promise<void> {
  await page.goto(`./manual/${id}.html`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

test('the page links to the manual, and the manual to the page', async ({ lab, page }) => {
  await lab.open();
  await page.keyboard.press('?');
  await page.getByRole('link', { name: 'The manual' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'The manual' })).toBeVisible();
  await page.getByRole('link', { name: 'A first lecture in five minutes' }).first().click();
  await page.getByRole('link', { name: /^lesson 1/ }).click();
  await lab.idle();
  expect(page.url()).toMatch(/\/#l1/);
});

test('the search finds a tunable by keys, and says when it finds nothing', async ({
  lab,
  page,
}) => {
  expect(lab.page).toBe(page);
  await read(page, 'index');
  const field = page.getByRole('searchbox', { name: FIELD });
  while (!(await field.evaluate((el) => el === document.activeElement)))
    await page.keyboard.press('Tab');
  await page.keyboard.type('steal');
  const found = page.getByRole('list', { name: 'Found' }).getByRole('link');
  await expect(found.filter({ hasText: 'ULE' }).first()).toBeVisible();
  await expect(page.getByRole('status')).toHaveText(/^\d+ found$/);
  expect(await violations(page, { tags: WCAG })).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/manual\/.+\.html/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('searchbox', { name: FIELD }).fill('xyzzyplugh');
  await expect(page.getByRole('status')).toHaveText('Nothing has all these words.');
});

test('every page of the manual fits a phone and the narrowest window', async ({ lab, page }) => {
  expect(lab.page).toBe(page);
  const wide: string[] = [];
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    for (const { id } of PAGES) {
      await read(page, id);
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (over > 0) wide.push(`${id} at ${String(width)}: ${String(over)}`);
    }
  }
  expect(wide).toEqual([]);
});

/** One page of each kind: text, pictures, tables made from the core, programs, a report. */
const KINDS = ['index', 'laboratory', 'schedulers/ule', 'command-line', 'conformance'];

for (const [size, viewport] of [
  ['a desk', { width: 1280, height: 800 }],
  ['a phone', { width: 390, height: 844 }],
] as const)
  test(`axe finds nothing in the manual on ${size}, light and dark`, async ({ lab, page }) => {
    expect(lab.page).toBe(page);
    await page.setViewportSize(viewport);
    for (const id of KINDS) {
      await read(page, id);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await violations(page, { tags: WCAG }), `${id}, ${colorScheme}`).toEqual([]);
      }
    }
  });

test.describe('kept', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the manual opens, shows its pictures and can be searched without a network', async ({
    page,
  }) => {
    const host = await StaticHost.start('/lab/');
    await page.goto(host.url);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await host.stop();
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
    await page.getByRole('searchbox', { name: FIELD }).fill('privacy');
    await page
      .getByRole('link', { name: /^Privacy/ })
      .first()
      .click();
    await expect(page.getByRole('heading', { level: 1, name: /^Privacy/ })).toBeVisible();
  });
});
