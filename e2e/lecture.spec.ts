import { expect, test } from './fixtures';

/** Most keys from the empty address to the comparison. With Tab instead of shortcuts it once took 134. */
const MOST_KEYS = 45;

test('a lecture in few keys: open, first move, why, threshold, fork, compare', async ({
  lab,
  page,
}) => {
  test.slow();
  await lab.start();
  let keys = 0;
  const press = async (...all: readonly string[]) => {
    for (const key of all) {
      keys += 1;
      await page.keyboard.press(key);
    }
    await lab.idle();
  };
  const focused = () =>
    page.evaluate(() => {
      const e = document.activeElement as HTMLElement & { labels?: NodeListOf<HTMLElement> };
      return (e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent).trim();
    });

  // Opens it by words on its card.
  await press('/', ...'browsers');
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible();
  await press('Enter');
  await expect(page.locator('.answer h2')).toHaveText(
    'Ten threads, 12 idle cores: how long do they wait?',
  );

  // The first move, and why.
  await press('j');
  const told = page.getByRole('status').filter({ hasText: /moved from|wait/ });
  await expect(told).not.toBeEmpty();
  const at = await lab.now();
  await press('w');
  await expect(page.getByRole('article').first()).toContainText(/\w/);
  await press('Escape', 'Escape');

  // A copy of ULE with another threshold.
  await press('2', 'f');
  await expect(lab.lanes()).toHaveCount(3);
  for (let i = 0; i < 15 && !/steal/i.test(await focused()); i += 1) await press('Shift+Tab');
  expect(await focused()).toMatch(/steal/i);
  await press('ArrowLeft');
  const tunables = await page.evaluate(() => location.hash);
  expect(tunables).toMatch(/stealThresh/);

  // Compares: goes on until the lanes differ.
  keys += 1;
  await page.keyboard.press('k');
  await expect(page.getByRole('button', { name: /^Go to the first difference/ })).toBeVisible();
  await press('k', 'd');
  expect(await lab.now()).not.toBe(at);
  const [, ule, copy] = await lab.digests();
  expect(copy).not.toBe(ule);
  expect(keys).toBeLessThanOrEqual(MOST_KEYS);
});
