/** The stage as a class uses it: lanes that end, decisions of every kind, reduced motion, all sizes. */
import { violations } from './axe';
import { expect, type Lab, test } from './fixtures';

const crowd = {
  version: 1,
  name: 'a crowd that sleeps, wakes, yields and ends',
  seed: 1,
  machine: 'i7860',
  schedulers: [{ id: 'bfs' }, { id: 'cfs', era: '4.9' }, { id: '4bsd' }, { id: 'ule' }],
  groups: [
    { name: 'hog', count: 14, behaviour: { kind: 'compute' } },
    { name: 'type', count: 6, behaviour: { kind: 'interactive' } },
    { name: 'yield', count: 2, behaviour: { kind: 'yieldLoop', params: { yields: 50 } } },
  ],
  end: { atNs: 60e9 },
};

async function openCrowd(lab: Lab, seconds: number, ids: readonly string[]): Promise<void> {
  const schedulers = crowd.schedulers.filter((s) => ids.includes(s.id));
  await lab.open();
  await lab.page.evaluate((s) => window.__sim.open(s), JSON.stringify({ ...crowd, schedulers }));
  await lab.page.evaluate((ns) => window.__sim.seek(ns), seconds * 1e9);
  await lab.idle();
}

async function inspect(lab: Lab): Promise<void> {
  const button = lab.page.getByRole('button', { name: 'Inspect', exact: true });
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
  await lab.idle();
}

test('plays at every size, and shows all of itself', async ({ lab, page }) => {
  await lab.open();
  const excess = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  const plays = async () => {
    const before = await lab.now();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(() => lab.now()).toBeGreaterThan(before + 5e6);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await lab.idle();
  };
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
  ] as const)
    await test.step(`at ${String(width)} × ${String(height)}`, async () => {
      await page.setViewportSize({ width, height });
      await plays();
      expect(await excess()).toBe(0);
      expect(await violations(page)).toEqual([]);
    });
  await test.step('in a low window lanes keep their height and scroll', async () => {
    await page.setViewportSize({ width: 900, height: 520 });
    await lab.idle();
    const measures = page.locator('.timelines .axis');
    const play = page.getByRole('button', { name: 'Play' });
    const reach = async () => {
      const [box, button] = [await measures.boundingBox(), await play.boundingBox()];
      return (box?.y ?? 0) + (box?.height ?? 0) - (button?.y ?? 0);
    };
    // Content below the fold is clipped there, and can be scrolled to.
    expect(await reach()).toBeGreaterThan(0);
    await measures.scrollIntoViewIfNeeded();
    expect(await reach()).toBeLessThan(0);
  });
  // 320 px is 400 % zoom of a desktop.
  for (const [width, height] of [
    [390, 844],
    [320, 700],
  ] as const)
    await test.step(`on a phone of ${String(width)} × ${String(height)}`, async () => {
      await page.setViewportSize({ width, height });
      await lab.idle();
      expect(await excess()).toBe(0);
      for (const name of ['Setup', 'Inspect']) {
        const button = page.getByRole('button', { name, exact: true });
        await button.click();
        await lab.idle();
        expect(await excess()).toBe(0);
        if (name === 'Inspect') expect(await violations(page)).toEqual([]);
        await button.click();
      }
      for (const name of ['Play', 'Step', 'Step back'])
        await expect(page.getByRole('button', { name, exact: true })).toBeInViewport();
      await plays();
    });
});

test('a fork keeps the past, has its own future, and is compared in numbers', async ({
  lab,
  page,
}) => {
  await lab.open('v=2&x=bfs-smt&t=200');
  await page.getByRole('button', { name: 'Fork', exact: true }).click();
  await lab.idle();
  await expect(lab.lanes()).toHaveCount(4);
  // Two lanes of a scheduler have different names.
  for (const name of ['1 BFS', '2 BFS', 'Manual affinity'])
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  const before = await lab.digests();
  expect(before[1]).toBe(before[0]);
  await lab.type('Nice of all', '10');
  const after = await lab.digests();
  expect(after[1]).not.toBe(after[0]);
  await lab.step('switch');
  await expect(
    page.getByRole('button', { name: /^Go to the first difference of the fork, at 200\.000 ms/ }),
  ).toBeVisible();
  await page.evaluate(() => window.__sim.seek(900e6));
  await lab.idle();
  await inspect(lab);
  await page.getByText('All measures', { exact: true }).click();
  // After a fork the differences from the original lane are shown.
  await expect(page.getByLabel('Show measures')).toHaveValue('0');
  const row = page.getByRole('row', { name: /^context switches/ });
  await expect(row.getByRole('cell').nth(1)).toHaveText(/^[+−-]\d|^=$/);
  await test.step('a table explains itself and is saved', async () => {
    const table = page.getByRole('region', { name: 'Measures', exact: true });
    const ratio = table.getByRole('row', { name: 'elapsed to CPU time' }).last();
    await ratio.getByRole('button').click();
    await expect(table.getByText(/^Scheduler efficiency of the comparison/)).toBeVisible();
    for (const kind of ['CSV', 'picture']) {
      const saved = page.waitForEvent('download');
      await table.getByRole('button', { name: `${kind} of Measures` }).click();
      expect((await saved).suggestedFilename()).toMatch(/^measures-.*\.(csv|png)$/);
    }
  });
  await page.getByLabel('Show measures').selectOption('as they are');
  await expect(row.getByRole('cell').nth(1)).toHaveText(/^[\d,.]+/);
  // Both lanes have the name of their scheduler, with a number.
  expect(await violations(page)).toEqual([]);
});

test(
  'every kind of decision opens a card without gaps',
  { tag: '@nightly' },
  async ({ lab, page }) => {
    await page.setViewportSize({ width: 1920, height: 1080 });
    await openCrowd(lab, 2.5, ['bfs', 'cfs', '4bsd', 'ule']);
    await inspect(lab);
    const why = page.getByRole('region', { name: 'Why?' });
    const kinds = why.getByLabel('Kind of decision');
    let seen = 0;
    for (const lane of ['BFS', 'CFS', '4BSD', 'ULE']) {
      await why.getByLabel('Lane').selectOption({ label: lane });
      const values = await kinds
        .locator('option')
        .evaluateAll((list) => list.map((o) => (o as HTMLOptionElement).value));
      expect(values.length, lane).toBeGreaterThan(3);
      for (const kind of values.filter((v) => v !== '')) {
        await kinds.selectOption(kind);
        await lab.idle();
        const first = why.getByRole('listitem').getByRole('button').first();
        // A kind without a decision in this run says so.
        if ((await first.count()) === 0) {
          await expect(why, `${lane} ${kind}`).toContainText('No kept decision');
          continue;
        }
        await first.click();
        await lab.idle();
        const card = why.getByRole('article');
        await expect(card.locator('.sentence'), `${lane} ${kind}`).not.toHaveText(/^\s*$/);
        await expect(card.locator('code').last()).not.toHaveText(/^\s*$/);
        await expect(card, `${lane} ${kind}`).not.toContainText(
          /undefined|NaN|null|TODO|\{|\}|\[object/,
        );
        seen += 1;
        await first.click();
      }
    }
    expect(seen).toBeGreaterThan(16);
  },
);

test(
  'with reduced motion threads are cut from place to place',
  { tag: '@nightly' },
  async ({ lab, page }) => {
    /** Number of different pictures of the first lane's threads while one switch is stepped over. */
    const pictures = () =>
      page.evaluate(async () => {
        const canvas = document.querySelectorAll('canvas')[1];
        document.querySelector<HTMLButtonElement>('button[aria-label="Step"]')?.click();
        const seen = new Set<string>();
        for (let i = 0; i < 30; i++) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          seen.add(canvas?.toDataURL() ?? '');
        }
        return seen.size;
      });
    await lab.open('s1-yield-storm');
    await page.getByLabel('Step by').selectOption('switch');
    const most = async () => {
      let found = 0;
      for (let i = 0; i < 4; i++) found = Math.max(found, await pictures());
      return found;
    };
    expect(await most()).toBeGreaterThan(4);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await lab.open('s1-yield-storm');
    await page.getByLabel('Step by').selectOption('switch');
    expect(await most()).toBeLessThan(4);
  },
);

test(
  'every table of measures explains itself and can be saved as CSV and as a picture',
  { tag: '@nightly' },
  async ({ lab, page }) => {
    await lab.open('v=1&x=s0-v890&t=400');
    await inspect(lab);
    await page.getByText('All measures', { exact: true }).click();
    await page.getByLabel('Show measures').selectOption('0');
    for (const [title, name, meaning] of [
      [
        'Measures',
        'elapsed to CPU time',
        /^Scheduler efficiency of the comparison of 4BSD and ULE/,
      ],
      ['CPU time of groups', /^[a-z]/, /^How many CPUs it used on average/],
      ['Where CPU time goes', 'useful work', /^Time in which/],
      ['Migrations by reason', 'took from global', /^In the kernel: sched_choose/],
      ['Migrations by distance', 'between nodes', /^To a CPU with other memory/],
    ] as const) {
      const table = page.getByRole('region', { name: title, exact: true });
      const row = table.getByRole('row', { name }).last();
      // A difference below the last shown digit has no sign.
      await expect(row.getByRole('cell').last()).toHaveText(/^([+−]\d.*|=|0\.00)$/);
      await row.getByRole('button').click();
      await expect(table.getByText(meaning)).toBeVisible();
      for (const kind of title === 'Measures' ? ['CSV', 'picture'] : ['CSV']) {
        const saved = page.waitForEvent('download');
        await table.getByRole('button', { name: `${kind} of ${title}` }).click();
        const stem = title.toLowerCase().replaceAll(' ', '-');
        expect((await saved).suggestedFilename()).toMatch(new RegExp(`^${stem}-.*\\.(csv|png)$`));
      }
    }
    await page.getByLabel('CPU time of', { exact: true }).selectOption('threads');
    await expect(
      page.getByRole('region', { name: 'Shares of threads' }).getByRole('row'),
    ).toHaveCount(1 + 18);
    await lab.idle();
    expect(await violations(page)).toEqual([]);
  },
);

test('the list of decisions goes to a moment and asks why, by keyboard', async ({ lab, page }) => {
  await openCrowd(lab, 2.5, ['ule', '4bsd']);
  await lab.tab('decisions');
  await page.getByLabel('Kind of decision in the timelines').selectOption('pickNext');
  await lab.idle();
  const list = page.getByRole('listbox', { name: /^Decisions of ULE/ });
  await expect(list.getByRole('option').first()).toContainText('who runs next');
  expect(await violations(page)).toEqual([]);
  await list.focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown');
  const chosen = list.getByRole('option', { selected: true });
  const words = await chosen.locator('.what').textContent();
  const before = await lab.now();
  await page.keyboard.press('Enter');
  await lab.idle();
  expect(await lab.now()).toBeLessThan(before);
  const card = page.getByRole('region', { name: 'Why?' }).getByRole('article');
  await expect(card.locator('.sentence')).toHaveText(words ?? '');
});
