/** The queues in their true form, presenting, and unusual ways to use the page. */
import { violations } from './axe';
import { expect, type Lab, test } from './fixtures';

const crowd = (machine: string, count: number) => ({
  version: 1,
  name: `a crowd on ${machine}`,
  seed: 1,
  machine,
  schedulers: [{ id: 'bfs' }, { id: 'cfs', era: '4.9' }, { id: '4bsd' }, { id: 'ule' }],
  groups: [
    { name: 'hog', count, behaviour: { kind: 'compute' } },
    { name: 'type', count: 4, behaviour: { kind: 'interactive' } },
  ],
  end: { atNs: 60e9 },
});

async function open(lab: Lab, machine: string, count: number): Promise<void> {
  await lab.open();
  await lab.page.evaluate((s) => window.__sim.open(s), JSON.stringify(crowd(machine, count)));
  await lab.page.evaluate(() => window.__sim.seek(300e6));
  await lab.idle();
}

async function inspect(lab: Lab): Promise<void> {
  const button = lab.page.getByRole('button', { name: 'Inspect', exact: true });
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
  await lab.idle();
}

/** Every scheduler's queue lists the waiting threads, and plays on. */
async function plays(lab: Lab): Promise<void> {
  const { page } = lab;
  await inspect(lab);
  const card = page.getByRole('region', { name: 'Queue', exact: true });
  for (const [lane, place] of [
    ['BFS', /global queue/],
    ['CFS', /task group|tree of the cpu/],
    ['4BSD', /level \d+/],
    ['ULE', /slot \d+|level \d+/],
  ] as const) {
    await page.getByRole('button', { name: lane, exact: true }).click();
    await lab.idle();
    await expect(card.getByRole('heading')).toContainText(lane);
    const summary = card.getByText(/^As a table/);
    if ((await card.locator('details').getAttribute('open')) === null) await summary.click();
    await expect(card.getByRole('table').last()).toContainText(place);
  }
  const before = await lab.now();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => lab.now()).toBeGreaterThan(before + 5e6);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await lab.idle();
}

for (const [machine, count] of [
  ['i7860', 24],
  ['epyc9654', 300],
] as const)
  test(
    `every scheduler plays on ${machine}, and its queue lists the waiting threads`,
    { tag: '@nightly' },
    async ({ lab, page }) => {
      await page.setViewportSize({ width: 1920, height: 1080 });
      await open(lab, machine, count);
      await plays(lab);
    },
  );

test('every scheduler has its queue, by keyboard and in forced colours', async ({ lab, page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await open(lab, 'k8x4', 40);
  await test.step('lists the waiting threads and plays', () => plays(lab));
  await test.step('4BSD draws all waiting threads in its global queue', async () => {
    await page.getByRole('button', { name: '4BSD', exact: true }).click();
    await lab.idle();
    await page.getByRole('application', { name: /^Queue of cpu/ }).focus();
    // Arrow keys stop at each thread of the queue: the picture shows it, and the table names it.
    await page.keyboard.press('Home');
    await expect(page.getByRole('status').filter({ hasText: /level \d+/ })).toHaveCount(1);
    await page.keyboard.press('Enter');
    await lab.idle();
    await expect(page.getByRole('region', { name: 'Selected thread' })).toBeVisible();
  });
  await test.step('axe finds nothing in forced colours', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    await page.getByRole('button', { name: 'CFS', exact: true }).click();
    await lab.idle();
    expect(await violations(page)).toEqual([]);
  });
});

test('a presentation has no panels, and works by keys', async ({ lab, page }) => {
  // Three lanes stand beside each other on wide screens only.
  await page.setViewportSize({ width: 1920, height: 1080 });
  await lab.open();
  await page.getByLabel('Colours').selectOption('projector');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'projector');
  await page.getByRole('button', { name: 'Present' }).click();
  await expect(page.getByRole('region', { name: 'Presentation' })).toBeVisible();
  await expect(page.getByRole('complementary')).toHaveCount(0);
  await lab.idle();
  expect(await violations(page)).toEqual([]);
  const before = await lab.now();
  await page.keyboard.press('ArrowRight');
  await lab.idle();
  expect(await lab.now()).toBeGreaterThan(before);
  await page.keyboard.press('2');
  await expect(lab.lanes()).toHaveCount(1);
  await expect(lab.lanes()).toContainText('Manual affinity');
  await page.keyboard.press('2');
  await expect(lab.lanes()).toHaveCount(3);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Presentation' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Setup', exact: true })).toBeVisible();
});
