import { expect, test } from './fixtures';

test('a worker that hangs is replaced and the run comes back with its edits', async ({
  lab,
  page,
}) => {
  await lab.open('v=1&t=60');
  await lab.type('Nice of all', '4');
  const before = { now: await lab.now(), digests: await lab.digests() };
  const [worker] = page.workers();
  expect(worker).toBeDefined();
  // Never answers: the worker is thrown away under it.
  void worker
    ?.evaluate(() => {
      for (;;);
    })
    .catch(() => undefined);
  await page.getByRole('button', { name: 'Play' }).click();
  await expect(page.locator('.notice', { hasText: 'was brought back' })).toBeVisible({
    timeout: 20_000,
  });
  await expect(page.getByRole('button', { name: 'Save the scenario as a file' })).toBeVisible();
  await expect.poll(() => lab.now()).toBeGreaterThan(before.now);
  await page.getByRole('button', { name: 'Pause' }).click();
  await lab.idle();
  await lab.open(`${new URL(page.url()).hash.slice(1).replace(/&t=.*/, '')}&t=60`);
  expect({ now: await lab.now(), digests: await lab.digests() }).toEqual(before);
});
