/** Announced moments: what is announced while time runs, the key that asks about it, and how to switch it off. */
import { readFileSync } from 'node:fs';
import { clock } from '../web/src/lib/format';
import type { Scenario } from '../web/src/sim/types/Scenario';
import { expect, type Lab, test } from './fixtures';

const FOLDER = new URL('../scenarios/experiments/', import.meta.url);
const shipped = (id: string) =>
  JSON.parse(readFileSync(new URL(`${id}.json`, FOLDER), 'utf8')) as Scenario;

/** Waits picture by picture until a moment is announced, or until a time has passed. */
function announced(lab: Lab, untilNs: number) {
  return lab.page.evaluate(async (until) => {
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const lane = window.__sim.stageRects().find(({ sight }) => sight?.isLeading ?? false);
      if (lane?.sight) return { ...lane.sight, lane: lane.lane, nowNs: window.__sim.nowNs() };
      if (window.__sim.nowNs() > until) return null;
    }
  }, untilNs);
}

/** Waits picture by picture until no moment is announced any more. */
function letGo(lab: Lab) {
  return lab.page.evaluate(async () => {
    const isLed = () => window.__sim.stageRects().some(({ sight }) => sight?.isLeading ?? false);
    while (isLed()) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

const why = (lab: Lab) => lab.page.getByRole('region', { name: 'Why?' });
const speed = (lab: Lab) => lab.page.getByRole('spinbutton', { name: 'speed', exact: true });

for (const id of ['bfs-smt', 's2c-512-threads', 's0-v890', 's3-nice'])
  test(`Space and W show and explain the first moment of ${id}`, async ({ lab, page }) => {
    const { moments, opening } = shipped(id);
    await lab.open(`s.${id}`);
    const openedNs = await lab.now();
    const lastNs = openedNs + 5 * (opening?.speed ?? 0);
    await page.keyboard.press(' ');
    const found = await announced(lab, lastNs);
    if (!found) throw new Error('nothing was announced within five drawn seconds');
    expect(moments).toContain(found.kind);
    expect(found.atNs).toBeGreaterThanOrEqual(openedNs);
    // The chip appears as soon as the moved thread has arrived.
    await page.waitForFunction(() => window.__sim.stageRects().some((l) => l.sight?.hasChip));
    expect(found.atNs).toBeLessThanOrEqual(await lab.now());
    await page.keyboard.press('w');
    // The card shows the decision of this event: the times are equal in all shown digits.
    const card = why(lab)
      .getByRole('group')
      .filter({ has: page.locator('article') });
    await expect(card).toBeFocused();
    const times = card.locator('article > p:first-child');
    await expect(times.filter({ hasText: `${clock(found.atNs)} · ` })).not.toHaveCount(0);
    await page.keyboard.press(' ');
    await lab.idle();
  });

/** Few hogs under BFS: soon two of them share a core beside an idle one. */
const HOGS = {
  version: 1,
  name: 'three hogs',
  seed: 1,
  machine: 'i7860',
  schedulers: [{ id: 'bfs' }],
  groups: [{ name: 'hog', count: 3, behaviour: { kind: 'compute' } }],
  background: { daemons: {}, kernelThreads: {} },
  end: { atNs: 600e9 },
};

async function openHogs(lab: Lab, msPerS: string, scenario: unknown = HOGS): Promise<void> {
  await lab.open();
  await lab.page.evaluate((s) => window.__sim.open(s), JSON.stringify(scenario));
  await lab.idle();
  await lab.page.evaluate(() => window.__sim.seek(1e9));
  await lab.idle();
  await lab.type('speed', msPerS);
}

test('time slows for a moment, and goes on as fast as before', async ({ lab, page }) => {
  await openHogs(lab, '1000');
  await page.keyboard.press('k');
  const found = await announced(lab, 60e9);
  expect(found?.kind).toBe('sharedCore');
  expect(Number(await speed(lab).inputValue())).toBeLessThan(1000);
  await expect(page.getByText('slow for a moment')).toBeVisible();
  await expect(page.getByText('each move', { exact: true })).toBeVisible();
  const [lane] = await page.evaluate(() => window.__sim.stageRects());
  expect(lane?.regime).toBe('each move');
  expect(lane?.said.join()).toMatch(/jobs \d and \d share core \d/);
  await expect(page.locator('p[role="status"]').first()).toHaveText(/share core .*W asks why\./);
  // The moved thread has arrived: the chip is in the line under the machine.
  const chip = page.getByRole('button', { name: 'W why' });
  await expect(chip).toBeVisible();
  await letGo(lab);
  await expect(speed(lab)).toHaveValue('1000');
  await expect(page.getByText('slow for a moment')).toBeHidden();
  await chip.click();
  await expect(why(lab).locator('article').first()).toBeVisible();
  await page.keyboard.press('k');
  await lab.idle();
});

test('at high speed time goes back to where the flight begins', async ({ lab, page }) => {
  // More hogs than CPUs: the balancer moves them, no core is idle.
  const [group] = HOGS.groups;
  const nine = { ...HOGS, schedulers: [{ id: 'cfs' }], groups: [{ ...group, count: 9 }] };
  await openHogs(lab, '10000', nine);
  await page.keyboard.press('k');
  const found = await announced(lab, 300e9);
  if (!found) throw new Error('nothing was announced');
  await page.waitForFunction((ns) => window.__sim.nowNs() < ns, found.atNs);
  await page.waitForFunction(() => window.__sim.stageRects().some((l) => l.sight?.hasChip));
  expect(await lab.now()).toBeGreaterThanOrEqual(found.atNs);
  await page.keyboard.press('w');
  const card = why(lab)
    .getByRole('group')
    .filter({ has: page.locator('article') });
  await expect(card.locator('article > p:first-child').first()).toContainText(clock(found.atNs));
  await page.keyboard.press('k');
  await lab.idle();
});

test('a speed that the user chooses meanwhile is kept', async ({ lab, page }) => {
  await openHogs(lab, '1000');
  await page.keyboard.press('k');
  expect(await announced(lab, 60e9)).not.toBeNull();
  await speed(lab).fill('300');
  await speed(lab).press('Tab');
  // At once, not after the moment.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  expect(await speed(lab).inputValue()).toBe('300');
  await letGo(lab);
  await expect(speed(lab)).toHaveValue('300');
  // As long again as time would have been slow.
  const untilNs = (await lab.now()) + 3 * 300e6;
  await page.waitForFunction((ns) => window.__sim.nowNs() > ns, untilNs);
  await expect(speed(lab)).toHaveValue('300');
  await page.keyboard.press('k');
  await lab.idle();
});

test('with reduced motion there are an outline and the chip, at the same speed', async ({
  lab,
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openHogs(lab, '1000');
  await page.keyboard.press('k');
  await expect(page.getByRole('button', { name: 'W why' })).toBeVisible();
  const [lane] = await page.evaluate(() => window.__sim.stageRects());
  expect(lane?.sight).toMatchObject({ kind: 'sharedCore', isLeading: false });
  await expect(speed(lab)).toHaveValue('1000');
  await page.keyboard.press('k');
  await lab.idle();
});

test('without announcements nothing is announced, and W still asks why', async ({ lab, page }) => {
  await openHogs(lab, '1000');
  await page.keyboard.press('?');
  await page.getByRole('checkbox', { name: 'Slow down for moments worth seeing' }).uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('k');
  expect(await announced(lab, 8e9)).toBeNull();
  await expect(page.getByRole('button', { name: 'W why' })).toBeHidden();
  await expect(speed(lab)).toHaveValue('1000');
  await page.keyboard.press('k');
  await lab.idle();
});

test('each kind is announced once, until time jumps', async ({ lab, page }) => {
  await openHogs(lab, '500');
  await page.keyboard.press('k');
  const first = await announced(lab, 60e9);
  await letGo(lab);
  expect(await announced(lab, (await lab.now()) + 4e9)).toBeNull();
  await page.keyboard.press('k');
  await lab.idle();
  await page.evaluate(() => window.__sim.seek(1e9));
  await lab.idle();
  await page.keyboard.press('k');
  expect(await announced(lab, 60e9)).toMatchObject({ kind: first?.kind });
  await page.keyboard.press('k');
  await lab.idle();
});

test('J goes to the next moment that the scenario names, Shift J back', async ({ lab, page }) => {
  await lab.open('s.bfs-smt');
  const openedNs = await lab.now();
  const jump = async (key: string) => {
    await page.keyboard.press(key);
    await lab.idle();
    const [lane] = await page.evaluate(() => window.__sim.stageRects());
    return { nowNs: await lab.now(), sight: lane?.sight };
  };
  const first = await jump('j');
  expect(first.nowNs).toBeGreaterThan(openedNs);
  expect(first.sight).toMatchObject({ kind: 'sharedCore', atNs: first.nowNs, hasChip: true });
  await page.keyboard.press('w');
  const card = why(lab)
    .getByRole('group')
    .filter({ has: page.locator('article') });
  await expect(card.locator('article > p:first-child').first()).toContainText(clock(first.nowNs));
  await page.keyboard.press('Escape');
  const second = await jump('j');
  expect(second.nowNs).toBeGreaterThan(first.nowNs);
  expect(second.sight?.atNs).toBe(second.nowNs);
  expect((await jump('Shift+J')).nowNs).toBe(first.nowNs);
});
