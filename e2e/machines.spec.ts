import { readdirSync, readFileSync } from 'node:fs';
import { expect, test, type Lab } from './fixtures';

const FOLDER = new URL('../scenarios/machines/', import.meta.url);

/** Ids and names of all presets. */
const PRESETS = readdirSync(FOLDER).map(
  (file) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as { id: string; name: string },
);

test('every preset is opened by a link, steps in every lane, and is no wider than the window', async ({
  lab,
  page,
}) => {
  expect(PRESETS.length).toBeGreaterThanOrEqual(17);
  await lab.open();
  await lab.panel('Setup');
  for (const { id, name } of PRESETS)
    await test.step(id, async () => {
      await page.evaluate((to) => {
        location.hash = to;
      }, `v=1&x=bfs-smt&m=${id}&s=bfs,random&k=12`);
      await expect(card(lab)).toContainText(name);
      await expect(lab.lanes()).toHaveCount(2);
      await lab.idle();
      await expect(page.getByRole('region', { name: 'Notices' })).toBeEmpty();
      await lab.step('switch');
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(over).toBe(0);
    });
});

/** Plays for some simulated milliseconds. */
async function playSome(lab: Lab): Promise<void> {
  const before = await lab.now();
  await lab.page.getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => lab.now()).toBeGreaterThan(before + 10_000_000);
  await lab.page.getByRole('button', { name: 'Pause' }).click();
  await lab.idle();
}

const card = (lab: Lab) => lab.page.getByRole('button', { name: /^Machine: / });

test('a machine is chosen from pictures and described, with the keyboard only', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.panel('Setup');
  await card(lab).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Machines' });
  await expect(dialog.getByRole('button', { name: /Intel Core i7 860/ })).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  const second = dialog.getByRole('listitem').nth(1).getByRole('button');
  await expect(second).toBeFocused();
  const name = await second.locator('b').textContent();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await lab.idle();
  await expect(card(lab)).toContainText(name ?? 'nothing');
  await page.keyboard.press('Control+z');
  await lab.idle();
  await expect(card(lab)).toContainText('Intel Core i7 860');

  // Its cores, caches and the whole are described.
  await card(lab).press('Enter');
  await dialog.getByRole('button', { name: /Ryzen 9 3900X/ }).press('Enter');
  await expect(dialog).toBeHidden();
  await lab.idle();
  const machine = page.getByRole('application', { name: /^Machine of BFS/ });
  await machine.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('PageUp');
  await expect(machine).toContainText('core 0');
  await expect(machine).toContainText('L2 512 KiB, for this core alone');
  await page.keyboard.press('PageUp');
  await expect(machine).toContainText('L3 16 MiB, shared by 3 cores');
  await page.keyboard.press('ArrowRight');
  await expect(machine).toContainText('cpus 3–5, 15–17');
  await page.keyboard.press('PageUp');
  await expect(machine).toContainText('AMD Ryzen 9 3900X');
  await expect(machine).toContainText('12 cores');
  await page.keyboard.press('PageDown');
  await expect(machine).toContainText('shared by 3 cores');
  await page.keyboard.press('Escape');
  await expect(machine).not.toContainText('shared by 3 cores');
});

test('a machine is edited, taken back, made invalid, corrected, and restored from its link', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.panel('Setup');
  await page.getByRole('button', { name: 'Make it mine…' }).click();
  const editor = page.getByRole('dialog', { name: 'Change the machine' });

  // Undo takes changes back one by one.
  await lab.type('Cores per group', '6');
  await lab.type('Sockets', '2');
  await expect(editor).toContainText('2 sockets · 12 cores · 24 CPUs');
  await editor.getByRole('button', { name: 'Undo', exact: true }).click();
  await lab.idle();
  await expect(editor).toContainText('6 cores · 12 CPUs');
  await expect(editor.getByRole('spinbutton', { name: 'Sockets' })).toHaveValue('1');
  await editor.getByRole('button', { name: 'Undo', exact: true }).click();
  await lab.idle();
  await expect(editor).toContainText('4 cores · 8 CPUs');

  await lab.type('Cores per group', '6');
  await expect(editor).toContainText('6 cores · 12 CPUs');
  await expect(editor).toContainText('This machine runs');

  // It is invalid: the core says why at the field, and the run keeps the last valid machine.
  await lab.type('Contexts per core (SMT)', '99');
  const field = editor.getByRole('spinbutton', { name: 'Contexts per core (SMT)' });
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveValue('99');
  await expect(editor.getByText('must be from 1 to 8 contexts, got 99').first()).toBeVisible();
  await expect(editor).toContainText('6 cores · 12 CPUs');
  await editor.getByRole('button', { name: 'Close' }).click();
  await expect(card(lab)).toContainText('6 cores · 12 CPUs');

  // The typed text is still there.
  await page.getByRole('button', { name: 'Change it further…' }).click();
  await expect(field).toHaveValue('99');
  await lab.type('Contexts per core (SMT)', '1');
  await expect(field).toHaveAttribute('aria-invalid', 'false');
  await editor.getByRole('textbox', { name: 'Name', exact: true }).fill('Six of mine');
  await editor.getByRole('textbox', { name: 'Name', exact: true }).press('Tab');
  await lab.idle();
  await editor.getByRole('button', { name: 'Close' }).click();
  await expect(card(lab)).toContainText('Six of mine');
  await expect(card(lab)).toContainText('6 cores');
  await playSome(lab);
  const digests = await lab.digests();

  const fragment = await page.evaluate(() => location.hash.slice(1));
  await lab.open(fragment);
  await lab.panel('Setup');
  await expect(card(lab)).toContainText('Six of mine');
  expect(await lab.digests()).toEqual(digests);
  await page.getByRole('button', { name: 'Change it further…' }).click();
  await expect(editor.getByRole('spinbutton', { name: 'Cores per group' })).toHaveValue('6');
});
