/** A presented or embedded page can be read from the last row: large letters, whole words, contrast, and a slider. */
import { contrast } from '../web/src/lib/test-colours';
import { violations } from './axe';
import { expect, type Lab, test } from './fixtures';
import { lookAt, smallInCanvases, watchCanvases } from './readable';

/** Scenarios with few and many lanes, CPUs and threads; the first has eight CPUs. */
const SCENARIOS = ['bfs-smt', 's2a-interactive-batch', 's0-v890', 's3-nice', 's2c-512-threads'];

async function isReadable(lab: Lab, id: string, least: number): Promise<void> {
  const { page } = lab;
  const { small, cut } = await page.evaluate(lookAt, least);
  expect.soft(small, `${id}: too small`).toEqual([]);
  expect.soft(cut, `${id}: cut`).toEqual([]);
  expect.soft(await smallInCanvases(lab, least), `${id}: too small in canvases`).toEqual([]);
  const weak = await violations(page, { rules: ['color-contrast'] });
  expect.soft(weak, `${id}: contrast`).toEqual([]);
  // The build writes #fff for #ffffff.
  const paper = await page.evaluate(() =>
    getComputedStyle(document.documentElement)
      .getPropertyValue('--slot')
      .trim()
      .replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3'),
  );
  const lanes = await page.evaluate(() => window.__sim.stageRects());
  for (const { rim, isDaemon } of lanes.flatMap((lane) => lane.tokens))
    if (!isDaemon) expect.soft(contrast(rim, paper), `${id}: ${rim}`).toBeGreaterThanOrEqual(3);
}

/** A visible slider changes the run. */
async function slides(lab: Lab): Promise<void> {
  const { page } = lab;
  const slider = page.getByRole('slider').first();
  await expect(slider).toBeInViewport({ ratio: 1 });
  const before = await slider.getAttribute('aria-valuetext');
  const box = await slider.boundingBox();
  if (!box) throw new Error('no slider');
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2, { steps: 3 });
  await page.mouse.up();
  await lab.idle();
  expect(await slider.getAttribute('aria-valuetext')).not.toBe(before);
}

/** The smallest side of a running thread's token. */
const leastToken = (lab: Lab) =>
  lab.page.evaluate(() =>
    Math.min(
      ...window.__sim
        .stageRects()
        .flatMap((lane) => lane.tokens.filter((t) => t.state === 'slot' && !t.isDaemon))
        .map((t) => t.rect.w),
    ),
  );

/** Scenarios with two to four lanes and a few CPUs, with the least size of a running thread's token before a class. */
const LARGE = [
  ['bfs-smt', 60],
  ['s4-dhrystone', 60],
  ['s1-yield-storm', 60],
  ['s0-v890', 40],
] as const;

/** Tokens are large, waiting ones at least half as large, also above the answer to W. */
async function isLarge(lab: Lab, id: string, least: number): Promise<void> {
  const sizes = await lab.page.evaluate(() =>
    window.__sim
      .stageRects()
      .flatMap((lane) => lane.tokens.filter(({ isDaemon }) => !isDaemon))
      .map(({ state, rect }) => ({ state, w: rect.w })),
  );
  for (const { state, w } of sizes) {
    if (state === 'slot') expect.soft(w, id).toBeGreaterThanOrEqual(least);
    if (state === 'queue') expect.soft(w, `${id}: waiting`).toBeGreaterThanOrEqual(least / 2);
  }
}

for (const [width, height, tag] of [
  [1024, 768, []],
  [1280, 800, ['@nightly']],
  [1920, 1080, ['@nightly']],
] as const)
  test(
    `threads of several lanes are large in front of a class at ${String(width)} × ${String(height)}`,
    { tag: [...tag] },
    async ({ lab, page }) => {
      test.slow();
      await page.setViewportSize({ width, height });
      for (const [id, least] of LARGE) {
        await lab.open(`s.${id}`);
        await page.keyboard.press('p');
        await expect(page.getByRole('region', { name: 'Presentation' })).toBeVisible();
        await lab.idle();
        await page.evaluate(() => window.__sim.seek(window.__sim.nowNs() + 2e6));
        await lab.idle();
        await isLarge(lab, id, least);
        await page.keyboard.press('w');
        await lab.idle();
        await isLarge(lab, `${id}: why`, least);
      }
    },
  );

/** Forgets the letters that canvases had before the present picture. */
const forgetWritten = (lab: Lab) =>
  lab.page.evaluate(() => {
    (window as unknown as { written: Map<string, number> }).written.clear();
  });

/** Presents some scenarios; each can be read. */
async function presents(lab: Lab, scenarios: readonly string[]): Promise<void> {
  const { page } = lab;
  await page.addInitScript(watchCanvases);
  for (const id of scenarios) {
    await lab.open(`s.${id}`);
    // Without a key: a key would show the pointer's tooltip.
    await forgetWritten(lab);
    await page.keyboard.press('p');
    await expect(page.getByRole('region', { name: 'Presentation' })).toBeVisible();
    await lab.idle();
    await forgetWritten(lab);
    await page.evaluate(() => window.__sim.seek(window.__sim.nowNs() + 2e6));
    await lab.idle();
    await isReadable(lab, id, 20);
    if (id === SCENARIOS[0]) {
      expect.soft(await leastToken(lab)).toBeGreaterThanOrEqual(60);
      await slides(lab);
    }
  }
}

for (const [width, height] of [
  [1024, 768],
  [1920, 1080],
] as const)
  test(
    `a presentation of few and many threads can be read at ${String(width)} × ${String(height)}`,
    { tag: '@nightly' },
    async ({ lab, page }) => {
      test.slow();
      await page.setViewportSize({ width, height });
      await presents(lab, SCENARIOS);
    },
  );

test('a presentation can be read from the last row', async ({ lab, page }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await presents(lab, SCENARIOS.slice(0, 1));
});

test(
  'an embedded page with few and many threads can be read',
  { tag: '@nightly' },
  async ({ lab, page }) => {
    test.slow();
    await page.addInitScript(watchCanvases);
    await page.setViewportSize({ width: 800, height: 450 });
    for (const id of SCENARIOS) {
      await lab.open(`v=2&x=${id}&embed=1`);
      await isReadable(lab, id, 12);
    }
  },
);

test('an embedded page can be read, light and dark', async ({ lab, page }) => {
  await page.addInitScript(watchCanvases);
  await page.setViewportSize({ width: 800, height: 450 });
  await lab.open('v=2&x=bfs-smt&s=ule,bfs&k=9&t=3624&embed=1');
  await isReadable(lab, 'nine hogs', 12);
  expect(await leastToken(lab)).toBeGreaterThanOrEqual(36);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await lab.idle();
  await isReadable(lab, 'nine hogs, dark', 12);
  await slides(lab);
});
