/** The shortest walk: opens, plays, steps, changes the number of lanes, lists its keys. Rules of time: `web/src/state`. */
import { expect, test } from './fixtures';

test('opens paused, plays, steps, and has one to four lanes on one clock', async ({
  lab,
  page,
}) => {
  await lab.open();
  await test.step('opens at a moment worth seeing, with something to try', async () => {
    await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
    expect(await lab.now()).toBeGreaterThan(0);
    const answer = page.getByRole('region', { name: 'Question and answer' });
    await expect(answer.getByRole('heading')).toHaveText(/\?$/);
    await expect(answer.getByRole('listitem')).toHaveCount(3);
    await expect(page.getByRole('region', { name: 'BFS' })).toBeVisible();
    await expect(lab.lanes()).toHaveCount(3);
  });
  await test.step('draws something on every canvas', async () => {
    const inked = await page.locator('canvas').evaluateAll((list) =>
      list.map((canvas) => {
        const c = canvas as HTMLCanvasElement;
        const data = c.getContext('2d')?.getImageData(0, 0, c.width, c.height).data ?? [];
        const colours = new Set<number>();
        for (let i = 0; i < data.length; i += 64)
          colours.add(((data[i] ?? 0) << 16) | ((data[i + 1] ?? 0) << 8) | (data[i + 2] ?? 0));
        return colours.size;
      }),
    );
    // Ground, threads and timeline of three lanes, and one axis.
    expect(inked).toHaveLength(10);
    for (const colours of inked) expect(colours).toBeGreaterThan(3);
  });
  await test.step('steps forward and back', async () => {
    await lab.step('switch');
    const here = { now: await lab.now(), digests: await lab.digests() };
    await lab.step('switch');
    expect(await lab.digests()).not.toEqual(here.digests);
    await lab.step('switch', true);
    expect({ now: await lab.now(), digests: await lab.digests() }).toEqual(here);
  });
  await test.step('plays, pauses, and goes to the start', async () => {
    const before = await lab.now();
    await page.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => lab.now()).toBeGreaterThan(before + 5_000_000);
    await page.getByRole('button', { name: 'Pause' }).click();
    await lab.idle();
    const paused = await lab.now();
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    expect(await lab.now()).toBe(paused);
    await page.getByRole('button', { name: 'To the start' }).click();
    await lab.idle();
    expect(await lab.now()).toBe(0);
  });
  await test.step('the list of keys opens as often as requested', async () => {
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    await page.keyboard.press('?');
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Keys and help' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
    // A pressed control returns the focus to the stage.
    await expect(page.getByRole('application', { name: 'Machine of BFS' })).toBeFocused();
  });
  await test.step('runs one, two, three and four lanes on one clock', async () => {
    await page.evaluate(() => window.__sim.seek(25e6));
    await lab.idle();
    await lab.panel('Setup');
    for (const [name, left] of [
      ['Remove lane 3', 2],
      ['Remove lane 2', 1],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await lab.idle();
      await expect(lab.lanes()).toHaveCount(left);
      await expect(
        page.getByText('Started again: this setting shapes the whole run.'),
      ).toBeVisible();
    }
    for (let i = 0; i < 3; i++) {
      await page.getByRole('button', { name: 'Add a lane' }).click();
      await lab.idle();
    }
    await expect(lab.lanes()).toHaveCount(4);
    expect((await lab.digests()).every((d) => d !== null && /^[0-9a-f]{16}$/.test(d))).toBe(true);
    await expect(page.locator('.notice')).toHaveCount(0);
  });
});

test('every shipped scenario opens', { tag: '@nightly' }, async ({ lab, page }) => {
  await lab.start();
  await page
    .getByRole('region', { name: 'Scenarios' })
    .getByRole('button', { name: /^All \d+/ })
    .click();
  const links = await page
    .locator('.card[href^="#s."]')
    .evaluateAll((list) => list.map((card) => card.getAttribute('href') ?? ''));
  expect(links.length).toBeGreaterThan(9);
  for (const link of links) {
    await lab.open(link.slice(1));
    expect((await lab.digests()).length).toBeGreaterThan(0);
    // Nothing was changed, so its address is as short as before.
    expect(new URL(page.url()).hash).toBe(link);
  }
  await expect(page.locator('.notice.warning')).toHaveCount(0);
});
