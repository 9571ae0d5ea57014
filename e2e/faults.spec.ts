import { readFile } from 'node:fs/promises';
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

for (const [how, told] of [
  ['panic', /stopped on an internal error \(asked to fail, at sim-core\/wasm\/src\/lib\.rs:\d+\)/],
  ['memory', /ran out of memory \((9\d\d|10\d\d) MB are in use\)/],
] as const) {
  test(`a core that breaks (${how}) is told, and its run comes back`, async ({ lab, page }) => {
    await lab.open('v=1&t=60');
    await lab.type('Nice of all', '4');
    const before = { now: await lab.now(), digests: await lab.digests() };
    await page.evaluate((kind) => {
      window.__sim.fail(kind);
    }, how);
    const notice = page.locator('.notice.warning', { hasText: 'was brought back' });
    // A gigabyte takes a moment on a slow machine.
    await expect(notice).toContainText(told, { timeout: 30_000 });
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
