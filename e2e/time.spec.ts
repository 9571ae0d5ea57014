import { expect, test } from './fixtures';

test('a step and a step back give the same state', async ({ lab }) => {
  await lab.open();
  await lab.step('switch');
  const here = { now: await lab.now(), digests: await lab.digests() };
  await lab.step('switch');
  expect(await lab.now()).toBeGreaterThan(here.now);
  expect(await lab.digests()).not.toEqual(here.digests);
  await lab.step('switch', true);
  expect({ now: await lab.now(), digests: await lab.digests() }).toEqual(here);
});

test('each kind of step moves on', async ({ lab }) => {
  await lab.open();
  for (const kind of ['event', 'decision', 'switch', 'tick', 'migration', 'wakeup', 'sliceEnd']) {
    const before = { now: await lab.now(), digests: await lab.digests() };
    await lab.step(kind);
    expect(await lab.now(), kind).toBeGreaterThanOrEqual(before.now);
    expect(await lab.digests(), kind).not.toEqual(before.digests);
  }
});

test('the past can be visited and is unchanged', async ({ lab, page }) => {
  await lab.open('v=1&t=50');
  const then = await lab.digests();
  await page.keyboard.press('Space');
  await expect.poll(() => lab.now()).toBeGreaterThan(60_000_000);
  await page.keyboard.press('Space');
  await lab.idle();
  await page.getByRole('button', { name: 'To the start' }).click();
  await lab.idle();
  expect(await lab.now()).toBe(0);
  await lab.open('v=1&t=50');
  expect(await lab.digests()).toEqual(then);
});

test('the speed can be typed', async ({ lab, page }) => {
  await lab.open();
  const box = page.getByRole('spinbutton', { name: 'speed', exact: true });
  await box.fill('1000');
  await box.press('Tab');
  await expect(page.getByRole('slider', { name: 'Speed' })).toHaveAttribute(
    'aria-valuetext',
    '1.00 s/s',
  );
});
