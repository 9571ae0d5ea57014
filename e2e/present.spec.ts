/** The page shows what the core says about a run: scenarios with their defaults, sliders, undo. */
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from './fixtures';

const packed = (scenario: object) => deflateRawSync(JSON.stringify(scenario)).toString('base64url');

/** A scenario without optional fields. */
const SHORT = {
  version: 1,
  name: 'Short',
  machine: 'i7860',
  schedulers: [{ id: 'cfs' }],
  groups: [{ name: 'a', count: 3, behaviour: { kind: 'compute' } }],
  edits: [{ atNs: 5_000_000, edit: { kind: 'unpin' } }],
  end: { atNs: 1_000_000_000 },
};

test('a shipped scenario opens as a file, though its edit names no target', async ({
  lab,
  page,
}) => {
  await lab.open();
  const text = readFileSync('scenarios/experiments/s2c-512-threads.json', 'utf8');
  await page.evaluate((dropped) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData('text/plain', dropped);
    document.body.dispatchEvent(
      new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
    );
  }, text);
  await expect(lab.scenario()).toHaveText('512 threads set free on 32 cores');
  await lab.idle();
  await expect(page.getByRole('spinbutton', { name: 'Processes', exact: true })).toHaveValue('512');
});

test('the address bar follows the page after an edit that names no target', async ({
  lab,
  page,
}) => {
  await lab.open(`v=2&z=${packed(SHORT)}&t=20`);
  const first = page.url();
  await lab.type('Processes', '5');
  await expect(page).not.toHaveURL(first);
  const digests = await lab.digests();
  await page.reload();
  await lab.idle();
  expect(await lab.digests()).toEqual(digests);
  await expect(page.getByRole('spinbutton', { name: 'Processes', exact: true })).toHaveValue('5');
});

test('sliders take account of threads that ended and of forked threads', async ({ lab, page }) => {
  const script = (name: string, count: number, program: string) => ({
    name,
    count,
    behaviour: { kind: 'script', params: { program, child: 'run 10s' } },
  });
  const scenario = {
    ...SHORT,
    groups: [script('gone', 6, 'run 1ms'), script('more', 1, 'fork; fork; run 10s')],
    edits: [],
  };
  await lab.open(`v=2&z=${packed(scenario)}&t=200`);
  const threadsOf = (name: string) =>
    page.getByRole('spinbutton', { name: `Threads of ${name}`, exact: true });
  await lab.panel('Setup');
  await page.getByText('Groups and behaviour').click();
  await expect(threadsOf('gone')).toHaveValue('0');
  await expect(threadsOf('more')).toHaveValue('3');
  // Four more than there are now, not than there were at first.
  await lab.type('Threads of more', '7');
  await expect(threadsOf('more')).toHaveValue('7');
  await page.evaluate(() => window.__sim.seek(0));
  await lab.idle();
  await expect(threadsOf('gone')).toHaveValue('6');
});

for (const [name, word] of [
  ['Nice of all', 'setNice'],
  ['Processes', 'spawn'],
] as const) {
  test(`a drag of "${name}" while the run stands is one edit in the link`, async ({
    lab,
    page,
  }) => {
    await lab.open('v=2&x=bfs-smt&t=80');
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
    const edits = new URL(page.url()).hash.match(/&e=([^&]*)/)?.[1] ?? '';
    expect(edits.split(';')).toEqual([expect.stringContaining(`80,${word},`)]);
    await expect(page.locator('.mark')).toHaveCount(1);
    const value = await page.getByRole('spinbutton', { name, exact: true }).inputValue();
    const digests = await lab.digests();
    await page.reload();
    await lab.idle();
    expect(await lab.digests()).toEqual(digests);
    await expect(page.getByRole('spinbutton', { name, exact: true })).toHaveValue(value);
  });
}

test('undo goes back to the time of the change', async ({ lab, page }) => {
  await lab.open('v=2&x=bfs-smt&t=80');
  const before = await lab.digests();
  await lab.type('Nice of all', '7');
  await page.evaluate(() => window.__sim.seek(200e6));
  await lab.idle();
  const after = await lab.digests();
  await lab.panel('Setup');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await lab.idle();
  expect({ now: await lab.now(), digests: await lab.digests() }).toEqual({
    now: 80e6,
    digests: before,
  });
  await page.getByRole('button', { name: 'Redo' }).click();
  await lab.idle();
  expect({ now: await lab.now(), digests: await lab.digests() }).toEqual({
    now: 200e6,
    digests: after,
  });
});

test('the card of a thread lists the CPUs that it may use', async ({ lab, page }) => {
  const pin = (thread: string, cpus: number[]) => ({
    atNs: 1_000_000,
    edit: { kind: 'pin', target: { thread }, cpus },
  });
  const groups = [
    { name: 'a', count: 3, behaviour: { kind: 'compute' } },
    { name: 'b', count: 2, allowed: [4, 5, 6], behaviour: { kind: 'compute' } },
  ];
  const edits = [pin('a-1', [2, 3]), pin('a-2', [7])];
  await lab.open(`v=2&z=${packed({ ...SHORT, groups, edits })}&t=20`);
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
