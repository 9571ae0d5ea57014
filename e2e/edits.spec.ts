import { expect, test } from './fixtures';

test('more processes join a run', async ({ lab, page }) => {
  await lab.open();
  const before = await lab.now();
  expect(before).toBeGreaterThan(0);
  await lab.type('Processes', '9');
  expect(await lab.now()).toBe(before);
  await expect(page.locator('.mark')).toHaveCount(1);
  await expect(
    page
      .getByRole('table', { name: /^Threads of/ })
      .first()
      .locator('tbody tr'),
  ).toHaveCount(9);
  await lab.type('Processes', '2');
  await expect(page.getByRole('spinbutton', { name: 'Processes', exact: true })).toHaveValue('2');
});

test('a slider answers to the keyboard and changes the run', async ({ lab, page }) => {
  await lab.open();
  const digests = await lab.digests();
  const slider = page.getByRole('slider', { name: 'Nice of all' });
  await slider.focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
  await lab.idle();
  await expect(slider).toHaveAttribute('aria-valuetext', '+5');
  expect(await lab.digests()).not.toEqual(digests);
});

test('an edit can be undone and redone', async ({ lab, page }) => {
  await lab.open('v=1&t=80');
  const before = await lab.digests();
  await lab.type('Nice of all', '7');
  const after = await lab.digests();
  await lab.panel('Setup');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await lab.idle();
  expect(await lab.digests()).toEqual(before);
  await page.getByRole('button', { name: 'Redo' }).click();
  await lab.idle();
  expect(await lab.digests()).toEqual(after);
});

test('a change that applies from the start says so and starts again', async ({ lab, page }) => {
  await lab.open();
  await lab.panel('Setup');
  await page.getByText('Background and seed').click();
  await lab.type('Seed', '12');
  expect(await lab.now()).toBe(0);
  await expect(page.getByText('Started again: this setting shapes the whole run.')).toBeVisible();
  await expect(page.locator('.notice')).toHaveCount(0);
});

test('a number out of range is refused by name and range and stays in its box', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.type('Processes', '9000');
  await expect(page.getByRole('alert')).toHaveText('Processes: 1 to 5000');
  await expect(page.getByRole('spinbutton', { name: 'Processes', exact: true })).toHaveValue(
    '9000',
  );
});

test('the link restores the run with its live edits', async ({ lab, page }) => {
  await lab.open('v=1&t=60');
  await lab.type('Nice of all', '4');
  await lab.type('Processes', '6');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => lab.now()).toBeGreaterThan(70_000_000);
  await page.getByRole('button', { name: 'Pause' }).click();
  await lab.idle();
  const here = { now: await lab.now(), digests: await lab.digests() };
  const link = new URL(page.url()).hash;
  expect(link).toContain('&e=60,setNice,');
  await lab.open(link.slice(1));
  expect({ now: await lab.now(), digests: await lab.digests() }).toEqual(here);
  // Both edits were made at one instant, so they share a mark.
  await expect(page.locator('.mark')).toHaveAttribute('title', /nice .*; .* at 60\.000 ms$/i);
});

test('a group is pinned while it runs, a tunable is reset, and both are undone', async ({
  lab,
  page,
}) => {
  await lab.open('v=1&x=bfs-smt&s=cfs');
  await lab.step('switch');
  await lab.panel('Setup');
  await page.getByText('Groups and behaviour').click();
  await page.getByText('CPUs and start').first().click();
  const box = page.getByLabel(/^CPUs of/).first();
  await box.fill('7-9');
  await box.press('Tab');
  expect(await box.evaluate((el: HTMLInputElement) => el.validationMessage)).toContain('0 to 7');
  await box.fill('2, 3');
  await box.press('Tab');
  await lab.idle();
  await expect(box).toHaveValue('2, 3');
  await page.evaluate(() => window.__sim.seek(200e6));
  await lab.idle();
  const rows = page.getByRole('table', { name: 'Threads of CFS' }).getByRole('row');
  for (const state of await rows.getByRole('cell').filter({ hasText: 'runs on' }).allInnerTexts())
    expect(state).toMatch(/cpu [23]$/);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await lab.idle();
  await expect(box).toHaveValue('');
  await page.getByText('Tunables of CFS').click();
  const reset = page.getByRole('button', { name: /^Reset / });
  await expect(reset).toHaveCount(0);
  const first = page
    .locator('details', { hasText: 'Tunables of CFS' })
    .getByRole('spinbutton')
    .first();
  const was = await first.inputValue();
  await first.fill(String(Number(was) + 1));
  await first.press('Tab');
  await lab.idle();
  await expect(reset).toHaveCount(1);
  await reset.click();
  await lab.idle();
  await expect(first).toHaveValue(was);
  await expect(reset).toHaveCount(0);
});

test('one thread is paused, resumed and copied, and the link restores that', async ({
  lab,
  page,
}) => {
  await lab.open('bfs-smt&s=cfs&t=100');
  await page.locator('.shares .row').first().click();
  const card = page.getByRole('region', { name: 'Change this thread' });
  const name = await page
    .getByRole('region', { name: 'Selected thread' })
    .locator('h3')
    .innerText();
  const row = page
    .getByRole('table', { name: 'Threads of CFS' })
    .getByRole('row', { name: new RegExp(`^${name}\\b`) });
  await card.getByRole('button', { name: 'Pause it' }).click();
  await lab.idle();
  await page.evaluate(() => window.__sim.seek(150e6));
  await expect(row).toContainText('stopped');
  await page.evaluate(() => window.__sim.seek(200e6));
  await lab.idle();
  await expect(row).toContainText('stopped');
  const at200 = await lab.digests();
  const link = new URL(page.url()).hash.slice(1);
  await card.getByRole('button', { name: 'Let it go on' }).click();
  await card.getByRole('button', { name: 'Copy it' }).click();
  await lab.idle();
  await expect(card.getByRole('button', { name: 'Pause it' })).toBeVisible();
  await page.evaluate(() => window.__sim.seek(250e6));
  await lab.idle();
  await expect(row).not.toContainText('stopped');
  await expect(page.getByRole('spinbutton', { name: 'Processes', exact: true })).toHaveValue('5');
  await lab.open(link);
  expect(await lab.digests()).toEqual(at200);
  await expect(row).toContainText('stopped');
});
