/**
 * Compares the painters' pictures at fixed moments with approved ones in e2e/pictures/. `npm run pictures` renews
 * them. Parts of the page are compared, so that a picture changes only with its own painter.
 */
import { LINES, onOneCpu } from '../scripts/lib/eevdf-states.mjs';
import { expect, type Lab, test } from './fixtures';

const MACHINE = '.machine';
const SHARES = '.shares';
const TIMELINES = '.timelines';
const QUEUES = '.queues';

const hogs = (count: number, ...ids: readonly string[]) => ({
  version: 1,
  name: 'hogs',
  seed: 1,
  machine: 'i7860',
  schedulers: ids.map((id) => ({ id })),
  groups: [{ name: 'hog', count, behaviour: { kind: 'compute' } }],
  end: { atNs: 60e9 },
});

/** Threads in every state: running, waiting, asleep, finished, with cold caches. */
const states = {
  ...hogs(12, 'ule'),
  groups: [
    { name: 'hog', count: 9, behaviour: { kind: 'compute' } },
    { name: 'sweep', count: 4, workingSetBytes: 4 << 20, behaviour: { kind: 'loop' } },
    { name: 'type', count: 4, behaviour: { kind: 'interactive' } },
    { name: 'short', count: 2, behaviour: { kind: 'script', params: { program: 'run 50ms' } } },
  ],
};

/** Every scheduler that has its own form of queue. */
const queues = {
  ...hogs(28),
  schedulers: [{ id: 'bfs' }, { id: 'cfs', era: '4.9' }, { id: '4bsd' }, { id: 'ule' }],
  groups: [
    { name: 'hog', count: 20, behaviour: { kind: 'compute' } },
    { name: 'nice', count: 8, nice: 10, behaviour: { kind: 'compute' } },
    { name: 'type', count: 4, behaviour: { kind: 'interactive' } },
  ],
};

/** Opens a scenario at a time on a page that is there: a start of the page costs seconds. */
async function show(lab: Lab, scenario: object, ms: number): Promise<void> {
  const { page } = lab;
  await page.evaluate((s) => window.__sim.open(s), JSON.stringify(scenario));
  await page.evaluate((ns) => window.__sim.seek(ns), ms * 1e6);
  await lab.idle();
}

/** Opens the page, in light colours and without motion. */
async function begin(lab: Lab, fragment?: string): Promise<void> {
  await light(lab);
  await lab.open(fragment);
  await lab.page.evaluate(() => document.fonts.ready);
}

/** The queue of a CPU in large. */
const CARD = '[aria-label="Queue"] .picture';

/**
 * Compares a part of the page; `which` of the matching elements. Its painters say themselves when they have drawn the
 * present in its size and with the page's letters: a card may still be loading, or wait for the worker.
 */
async function same(lab: Lab, selector: string, name: string, which = 0): Promise<void> {
  // Nothing is pointed at.
  await lab.page.mouse.move(0, 0);
  const part = lab.page.locator(selector).nth(which);
  await expect(part).toBeVisible();
  await expect
    .poll(async () => {
      await lab.idle();
      return part.evaluate((element) => window.__sim.unpainted(element));
    })
    .toEqual([]);
  // A queue is mostly ground, so a smaller part of the pixels may differ.
  if ([QUEUES, CARD].includes(selector))
    await expect(part).toHaveScreenshot(`${name}.png`, { maxDiffPixelRatio: 0.002 });
  else await expect(part).toHaveScreenshot(`${name}.png`);
}

/** Selects the first bar's thread, and closes its card; once closed by hand it stays closed. */
async function select(lab: Lab, hasCard: boolean): Promise<void> {
  await lab.page.locator('.shares button').first().click();
  await lab.idle();
  if (!hasCard) return;
  await expect(lab.page.getByRole('complementary', { name: 'Inspect' })).toBeVisible();
  await lab.page.keyboard.press('Escape');
  await expect(lab.page.getByRole('complementary')).toHaveCount(0);
}

async function light(lab: Lab): Promise<void> {
  await lab.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

async function dark(lab: Lab): Promise<void> {
  await lab.page.emulateMedia({ colorScheme: 'dark' });
  await expect(lab.page.locator('html')).toHaveAttribute('data-theme', 'dark');
}

test('machines and shares are painted as before', async ({ lab, page }) => {
  await begin(lab);
  await test.step('the page has its own letters', async () => {
    const loaded = await page.evaluate(() =>
      [...document.fonts].filter((face) => face.status === 'loaded').map((face) => face.family),
    );
    expect(loaded.join()).toMatch(/Inter/);
    expect(loaded.join()).toMatch(/Source Serif 4/);
  });
  await test.step('what cannot be followed is added up', async () => {
    await show(lab, hogs(9, 'ule', 'bfs'), 3624.5);
    await lab.type('speed', '1000');
    await same(lab, MACHINE, 'totals-ule');
    await same(lab, MACHINE, 'totals-bfs', 1);
  });
  await test.step('tokens and shares of nine threads', async () => {
    await show(lab, hogs(9, 'ule', 'bfs'), 3624.5);
    // A step shows its event: the thread that moved, and the rest of each slice.
    await lab.step('switch');
    await same(lab, MACHINE, 'tokens-ule-light');
    await same(lab, MACHINE, 'tokens-bfs-light', 1);
    await same(lab, SHARES, 'shares-light');
    await dark(lab);
    await same(lab, MACHINE, 'tokens-ule-dark');
    await same(lab, SHARES, 'shares-dark');
  });
});

test('threads in every state and their timelines are painted as before', async ({ lab }) => {
  await begin(lab);
  await test.step('tokens', async () => {
    await show(lab, states, 254);
    // A thread that has just moved finds its data in no cache.
    await lab.step('migration');
    await same(lab, MACHINE, 'states-light');
    await select(lab, true);
    await same(lab, MACHINE, 'states-selected');
    await dark(lab);
    await same(lab, MACHINE, 'states-dark');
  });
  await test.step('timelines', async () => {
    await light(lab);
    await show(lab, { ...states, schedulers: [{ id: 'ule' }, { id: 'bfs' }] }, 1400);
    for (const [tab, name] of [
      ['who runs', 'runs'],
      ['shares over time', 'shares'],
      ['queue lengths', 'waiting'],
      ['scheduler values', 'values'],
    ] as const) {
      await lab.tab(tab);
      await same(lab, TIMELINES, `timeline-${name}`);
    }
    await select(lab, false);
    await lab.tab('speed by cause');
    await same(lab, TIMELINES, 'timeline-speed');
    await lab.tab('who runs');
    await same(lab, TIMELINES, 'timeline-selected');
    await dark(lab);
    await same(lab, TIMELINES, 'timeline-dark');
  });
});

test('queues are painted as before', async ({ lab, page }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  await begin(lab);
  await test.step('each in its form', async () => {
    await show(lab, queues, 640);
    await lab.tab('queues now');
    for (const [i, name] of ['bfs', 'cfs', '4bsd', 'ule'].entries())
      await same(lab, QUEUES, `queue-${name}`, i);
  });
  for (const [threads, ms] of LINES)
    await test.step(`the virtual time of ${String(threads)} threads`, async () => {
      // The whole queue is in sight beside the timelines.
      await page.setViewportSize({ width: 1280, height: 2200 });
      await light(lab);
      await show(lab, onOneCpu(threads), ms);
      await lab.panel('Inspect');
      await same(lab, CARD, `line-${String(threads)}`);
      // With many threads, the tab draws all of them.
      if (threads !== 40) return;
      await dark(lab);
      await same(lab, CARD, 'line-40-dark');
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 1280, height: 1000 });
      await lab.tab('queues now');
      await same(lab, QUEUES, 'queue-eevdf-dark');
    });
});

test('hundreds of threads are painted as before', { tag: '@nightly' }, async ({ lab }) => {
  await begin(lab, 'v=2&x=s2c-512-threads&t=20000');
  await lab.type('speed', '10000');
  await same(lab, MACHINE, 'crowd-machine');
  await same(lab, SHARES, 'crowd-shares');
  await same(lab, TIMELINES, 'crowd-timelines');
});

test('an embedded page is painted as before', { tag: '@nightly' }, async ({ lab, page }) => {
  await page.setViewportSize({ width: 800, height: 450 });
  await begin(lab, 'v=2&x=bfs-smt&k=9&s=ule:11.1,bfs&t=3624&embed=1');
  await same(lab, MACHINE, 'embed-machine');
  await same(lab, SHARES, 'embed-shares');
});
