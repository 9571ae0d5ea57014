/** The page shows what the core says about a run. The rules are tested beside the state: `web/src/state/time.test.ts`. */
import { deflateRawSync } from 'node:zlib';
import { expect, test } from './fixtures';

const packed = (scenario: object) => deflateRawSync(JSON.stringify(scenario)).toString('base64url');

test('a drag while the run stands is one edit in the link, and undo takes it back', async ({
  lab,
  page,
}) => {
  await lab.open('v=2&x=bfs-smt&t=80');
  const before = await lab.digests();
  for (const [name, word] of [
    ['Nice of all', 'nice'],
    ['Processes', 'count'],
  ] as const)
    await test.step(name, async () => {
      const slider = page.getByRole('slider', { name, exact: true });
      await slider.scrollIntoViewIfNeeded();
      const box = await slider.boundingBox();
      if (!box) throw new Error('no slider');
      const y = box.y + box.height / 2;
      await page.mouse.move(box.x + box.width / 2, y);
      await page.mouse.down();
      for (const part of [0.6, 0.7, 0.8, 0.9]) {
        await page.mouse.move(box.x + box.width * part, y);
        await lab.idle();
      }
      await page.mouse.up();
      await lab.idle();
      const edits = new URL(page.url()).hash.split('&').filter((part) => part.includes('@'));
      expect(edits).toEqual([expect.stringMatching(`\\.${word}=.*@80ms$`)]);
      await expect(page.locator('.mark')).toHaveCount(1);
      const value = page.getByRole('spinbutton', { name, exact: true });
      const [dragged, digests] = [await value.inputValue(), await lab.digests()];
      await page.evaluate(() => window.__sim.seek(200e6));
      await lab.panel('Setup');
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await lab.idle();
      expect(await lab.now()).toBe(80e6);
      expect(await lab.digests()).toEqual(before);
      await page.getByRole('button', { name: 'Redo', exact: true }).click();
      await lab.idle();
      expect(await lab.now()).toBe(200e6);
      await page.evaluate(() => window.__sim.seek(80e6));
      await lab.idle();
      expect(await lab.digests()).toEqual(digests);
      await expect(value).toHaveValue(dragged);
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await lab.idle();
      await page.keyboard.press('Escape');
    });
});

test('numbers of threads and their CPUs are those of the moment', async ({ lab, page }) => {
  const script = (name: string, count: number, program: string) => ({
    name,
    count,
    behaviour: { kind: 'script', params: { program, child: 'run 10s' } },
  });
  const pin = (thread: string, cpus: number[]) => ({
    atNs: 1_000_000,
    set: { [`threads.${thread}.allowed`]: cpus },
  });
  const scenario = {
    version: 1,
    name: 'Short',
    machine: 'i7860',
    schedulers: [{ id: 'cfs' }],
    groups: [
      { name: 'a', count: 3, behaviour: { kind: 'compute' } },
      { name: 'b', count: 2, allowed: [4, 5, 6], behaviour: { kind: 'compute' } },
      script('gone', 6, 'run 1ms'),
      script('more', 1, 'fork; fork; run 10s'),
    ],
    edits: [pin('a-1', [2, 3]), pin('a-2', [7])],
    end: { atNs: 1_000_000_000 },
  };
  await lab.open(`v=2&z=${packed(scenario)}&t=200`);
  await test.step('sliders count threads that ended, and forked ones', async () => {
    const threadsOf = (name: string) =>
      page.getByRole('spinbutton', { name: `Threads of ${name}`, exact: true });
    await lab.panel('Setup');
    await page.getByText('Groups and behaviour').click();
    await expect(threadsOf('gone')).toHaveValue('0');
    await expect(threadsOf('more')).toHaveValue('3');
    await lab.type('Threads of more', '7');
    await expect(threadsOf('more')).toHaveValue('7');
    // It lies over the tables.
    await page.getByRole('button', { name: 'Setup', exact: true }).click();
    await expect(page.getByRole('complementary')).toHaveCount(0);
  });
  await test.step('the card of a thread lists the CPUs that it may use', async () => {
    await page.getByRole('button', { name: 'Tables', exact: true }).click();
    const mayUse = page.getByRole('region', { name: 'Selected thread' }).getByRole('row', {
      name: /^may use/,
    });
    for (const [thread, cpus] of [
      ['a-1', 'cpu 2, 3 of 8'],
      ['a-2', 'cpu 7 of 8'],
      ['a-3', 'all CPUs'],
      ['b-1', 'cpu 4-6 of 8'],
    ] as const) {
      await page
        .getByRole('table', { name: /^Threads of/ })
        .getByRole('button', { name: thread, exact: true })
        .click();
      await expect(mayUse).toContainText(cpus);
    }
  });
});
