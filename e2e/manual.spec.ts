/**
 * The manual beside the page: found, read and searched, by keys, on a narrow screen. offline.spec.ts opens it without a
 * network.
 */
import type { Page } from '@playwright/test';
import { PAGES } from '../scripts/lib/manual/contents.mjs';
import { violations, WCAG } from './axe';
import { expect, test } from './fixtures';

const FIELD = 'Search the manual';

async function read(page: Page, id: string): Promise<void> {
  await page.goto(`./manual/${id}.html`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

test('the page links to the manual, its search finds a tunable by keys, and it links to the page', async ({
  lab,
  page,
}) => {
  await lab.open();
  await page.keyboard.press('?');
  await page.getByRole('link', { name: 'The manual' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'The manual' })).toBeVisible();

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

  await read(page, 'index');
  await page.getByRole('link', { name: 'A first lecture in five minutes' }).first().click();
  await page.getByRole('link', { name: /^lesson 1/ }).click();
  await lab.idle();
  expect(page.url()).toMatch(/\/#l1/);
});

/** The pages that are wider than a phone, or than the narrowest window. */
async function wideOnes(page: Page, ids: readonly string[]): Promise<readonly string[]> {
  const wide: string[] = [];
  for (const id of ids) {
    await read(page, id);
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (over > 0) wide.push(`${id} at ${String(width)}: ${String(over)}`);
    }
  }
  return wide;
}

test(
  'every page of the manual fits a phone and the narrowest window',
  { tag: '@nightly' },
  async ({ lab, page }) => {
    expect(lab.page).toBe(page);
    const ids = PAGES.map(({ id }) => id);
    expect(await wideOnes(page, ids)).toEqual([]);
  },
);

/** One page of each kind: text, pictures, tables made from the core, programs, a report. */
const KINDS = ['index', 'laboratory', 'schedulers/ule', 'command-line', 'conformance'];

/** Axe on pages, light and dark. */
async function looksAt(page: Page, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await read(page, id);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page, { tags: WCAG }), `${id}, ${colorScheme}`).toEqual([]);
    }
  }
}

for (const [size, viewport] of [
  ['a desk', { width: 1280, height: 800 }],
  ['a phone', { width: 390, height: 844 }],
] as const)
  test(
    `axe finds nothing in the manual on ${size}, light and dark`,
    { tag: '@nightly' },
    async ({ lab, page }) => {
      expect(lab.page).toBe(page);
      await page.setViewportSize(viewport);
      await looksAt(page, KINDS);
    },
  );

test('a page of each kind fits a phone and the narrowest window, and axe finds nothing in tables', async ({
  lab,
  page,
}) => {
  expect(lab.page).toBe(page);
  expect(await wideOnes(page, KINDS)).toEqual([]);
  await looksAt(page, ['schedulers/ule']);
});
