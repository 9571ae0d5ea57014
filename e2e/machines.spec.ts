import { expect, test, type Lab } from './fixtures';

/** Ids of all presets: the core lists them when a link names an unknown machine. */
const PRESETS = [
  'i7860',
  'v890',
  'e3',
  'i7980x',
  'k8x4',
  'up2007',
  'mc32',
  'op32',
  'mc1',
  'r3900x',
  'r7840u',
  'adl12900k',
  'm1',
  'epyc9654',
  'rpi4',
  'xeon2s',
  'ideal',
];

for (const id of PRESETS) {
  test(`${id} plays in every lane without complaints`, async ({ lab, page }) => {
    await lab.open(`v=1&x=bfs-smt&m=${id}&s=bfs,random&k=12`);
    await expect(page.getByRole('region', { name: 'Notices' })).toBeEmpty();
    await lab.step('switch');
    await lab.step('switch');
    await playSome(lab);
    // Nothing is wider than the window.
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(over).toBe(0);
  });
}

/** Plays for some simulated milliseconds. */
async function playSome(lab: Lab): Promise<void> {
  const before = await lab.now();
  await lab.page.getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => lab.now()).toBeGreaterThan(before + 10_000_000);
  await lab.page.getByRole('button', { name: 'Pause' }).click();
  await lab.idle();
}

const card = (lab: Lab) => lab.page.getByRole('button', { name: /^Machine: / });

test('a machine is chosen from pictures with the keyboard only', async ({ lab, page }) => {
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
});

test('a machine is edited, made invalid, corrected, and restored from its link', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.panel('Setup');
  await page.getByRole('button', { name: 'Make it mine…' }).click();
  const editor = page.getByRole('dialog', { name: 'Change the machine' });
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

test('undo takes changes of the machine back one by one', async ({ lab, page }) => {
  await lab.open();
  await lab.panel('Setup');
  await page.getByRole('button', { name: 'Make it mine…' }).click();
  const editor = page.getByRole('dialog', { name: 'Change the machine' });
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
});

test('a hostile machine in a link is refused with its fields', async ({ lab, page }) => {
  await lab.open();
  const packed = await page.evaluate(async () => {
    const core = { count: 60_000, smt: 60_000, kind: '<img src=x onerror=alert(1)>' };
    const llc = { count: 60_000, cores: [core] };
    const scenario = {
      version: 1,
      name: 'x',
      machine: {
        id: 'x',
        name: '<script>alert(1)</script>',
        topology: {
          numbering: 'coresFirst',
          packages: [{ count: 60_000, nodes: [{ count: 60_000, llcs: [llc] }] }],
        },
      },
      schedulers: [{ id: 'bfs' }],
      groups: [{ name: 'a', count: 1, behaviour: { kind: 'dhrystone' } }],
      end: { atNs: 1e9 },
    };
    const stream = new Blob([JSON.stringify(scenario)])
      .stream()
      .pipeThrough(new CompressionStream('deflate-raw'));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    return btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/=+$/, '');
  });
  await lab.open(`v=1&x=bfs-smt&z=${packed}`);
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText('The default is used');
  await lab.panel('Setup');
  await expect(card(lab)).toContainText('Intel Core i7 860');
});

test('cores, caches and the machine are described, by keyboard', async ({ lab, page }) => {
  await lab.open('v=1&x=bfs-smt&m=r3900x&s=bfs');
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
