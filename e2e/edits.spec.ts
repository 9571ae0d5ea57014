/** Changes of a run by the controls of the page; `view/shell/changed-run.test.ts` has what they do to the run. */
import { expect, test } from './fixtures';

test('controls change a run, and undo, redo and its link restore it', async ({ lab, page }) => {
  await lab.open('v=1&t=60');
  const before = await lab.digests();
  const processes = page.getByRole('spinbutton', { name: 'Processes', exact: true });

  await test.step('a slider answers to the keyboard and changes the run', async () => {
    const slider = page.getByRole('slider', { name: 'Nice of all' });
    await slider.focus();
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
    await lab.idle();
    await expect(slider).toHaveAttribute('aria-valuetext', '+5');
    expect(await lab.digests()).not.toEqual(before);
  });

  await test.step('more processes join', async () => {
    await lab.type('Processes', '9');
    expect(await lab.now()).toBe(60_000_000);
    const threads = page.getByRole('table', { name: /^Threads of/ }).first();
    await expect(threads.locator('tbody tr')).toHaveCount(9);
    await lab.type('Processes', '6');
    await expect(processes).toHaveValue('6');
  });

  const after = await lab.digests();
  await test.step('all edits of one instant share a mark, and the link restores them', async () => {
    const mark = page.locator('.mark');
    await expect(mark).toHaveAttribute('title', / 60\.000 ms$/);
    const link = new URL(page.url()).hash;
    expect(link).toMatch(/&groups\.[^&]*\.nice=[^&]*@60ms/);
    await lab.open(link.slice(1));
    expect([await lab.now(), await lab.digests()]).toEqual([60_000_000, after]);
    await expect(mark).toHaveAttribute('title', / 60\.000 ms$/);
  });

  await test.step('an edit is undone and made again', async () => {
    const opened = await lab.digests();
    await lab.type('Processes', '8');
    const edited = await lab.digests();
    await lab.panel('Setup');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await lab.idle();
    expect(await lab.digests()).toEqual(opened);
    await page.getByRole('button', { name: 'Redo' }).click();
    await lab.idle();
    expect(await lab.digests()).toEqual(edited);
  });

  await test.step('a number out of range is refused by name and range, and stays in its box', async () => {
    await lab.type('Processes', '9000');
    await expect(page.getByRole('alert')).toHaveText('Processes: 1 to 5000');
    await expect(processes).toHaveValue('9000');
  });

  await test.step('a change that applies from the start says so and starts again', async () => {
    await page.getByText('Background and seed').click();
    await lab.type('Seed', '12');
    expect(await lab.now()).toBe(0);
    await expect(page.getByText('Started again: this setting shapes the whole run.')).toBeVisible();
    await expect(page.locator('.notice')).toHaveCount(0);
  });
});

test('the cards of a group, of a scheduler and of one thread change only these', async ({
  lab,
  page,
}) => {
  await lab.open('bfs-smt&s=cfs&t=100');
  await lab.panel('Setup');

  await test.step('a group is pinned by a list of CPUs, and set free by undo', async () => {
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
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await lab.idle();
    await expect(box).toHaveValue('');
  });

  await test.step('a tunable is set and reset', async () => {
    await page.getByText('Tunables of CFS').click();
    const reset = page.getByRole('button', { name: /^Reset / });
    await expect(reset).toHaveCount(0);
    const tunables = page.locator('details', { hasText: 'Tunables of CFS' });
    const first = tunables.getByRole('spinbutton').first();
    const was = await first.inputValue();
    await first.fill(String(Number(was) + 1));
    await first.press('Tab');
    await lab.idle();
    await expect(reset).toHaveCount(1);
    await reset.click();
    await lab.idle();
    await expect(first).toHaveValue(was);
    await expect(reset).toHaveCount(0);
    await page.getByRole('button', { name: 'Close Setup' }).click();
  });

  await test.step('one thread gets another nice value and other CPUs, is stopped and copied', async () => {
    await page.locator('.shares .row').first().click();
    const selected = page.getByRole('region', { name: 'Selected thread' });
    const name = await selected.locator('h3').innerText();
    const card = page.getByRole('region', { name: 'Change this thread' });
    await lab.type(`Nice of ${name}`, '7');
    await card.getByRole('button', { name: 'Pin here' }).click();
    await lab.idle();
    await expect(card).toContainText('1 of 8');
    await expect(page).toHaveURL(/nice=|z=/);
    await card.getByRole('button', { name: 'Set free' }).click();
    await lab.idle();
    await expect(card).toContainText('all 8');

    const row = page
      .getByRole('table', { name: 'Threads of CFS' })
      .getByRole('row', { name: new RegExp(`^${name}\\b`) });
    await card.getByRole('button', { name: 'Pause it' }).click();
    await lab.idle();
    const seek = async (ms: number) => {
      await page.evaluate((ns) => window.__sim.seek(ns), (await lab.now()) + ms * 1e6);
      await lab.idle();
    };
    await seek(50);
    await expect(row).toContainText('stopped');
    await card.getByRole('button', { name: 'Let it go on' }).click();
    await card.getByRole('button', { name: 'Copy it' }).click();
    await lab.idle();
    await expect(card.getByRole('button', { name: 'Pause it' })).toBeVisible();
    await seek(50);
    await expect(row).not.toContainText('stopped');
    await expect(page.getByRole('spinbutton', { name: 'Processes', exact: true })).toHaveValue('5');
  });
});

test('a slice that changes nothing says why, in each lane', async ({ lab, page }) => {
  await lab.open('cfs-eevdf&groups.half.sliceNs=0.1ms&t=25');
  await lab.panel('Setup');
  const setup = page.getByRole('complementary', { name: 'Setup' });
  await setup.getByText('Groups and behaviour').click();
  await expect(setup.getByText('CFS gives threads no slices of their own.')).toBeVisible();
  await expect(setup.getByText('EEVDF 6.6 gives threads no slices of their own.')).toBeVisible();
  const tick =
    'EEVDF 6.12 ends turns at ticks, every 4.00 ms. A shorter slice counts at wake-ups only.';
  await expect(setup.getByText(tick)).toBeVisible();

  const slice = setup.getByRole('spinbutton', { name: 'Slice of half' });
  await slice.fill('20');
  await slice.press('Enter');
  await lab.idle();
  await expect(setup.getByText(tick)).toHaveCount(0);
  await expect(setup.getByText('EEVDF 6.6 gives threads no slices of their own.')).toBeVisible();
});
