/**
 * Announced moments on the page: their words, the chip, and the keys that ask about them. Which moments are announced,
 * how time slows for them and what ends that is proved by `web/src/view/machine/leading.test.ts`.
 */
import { clock } from '../web/src/lib/format';
import { violations } from './axe';
import { expect, type Lab, test } from './fixtures';

/**
 * Plays until a moment is announced and pauses in the same picture, so that the page can be read however slow the
 * computer is. Null if none is announced until a time.
 */
function announced(lab: Lab, untilNs: number) {
  return lab.page.evaluate(async (until) => {
    const press = (key: string) =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    press('k');
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const lane = window.__sim.stageRects().find(({ sight }) => sight?.isLeading ?? false);
      const isLate = window.__sim.nowNs() > until;
      if (!lane?.sight && !isLate) continue;
      press('k');
      return lane?.sight ?? null;
    }
  }, untilNs);
}

const speed = (lab: Lab) => lab.page.getByRole('spinbutton', { name: 'speed', exact: true });
const card = (lab: Lab) =>
  lab.page
    .getByRole('region', { name: 'Why?' })
    .getByRole('group')
    .filter({ has: lab.page.locator('article') });
const times = (lab: Lab) => card(lab).locator('article .when');

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

test('a moment slows time, is told beside the machine, and W explains it when its thread has arrived', async ({
  lab,
  page,
}) => {
  await lab.open();
  await page.evaluate((scenario) => window.__sim.open(scenario), JSON.stringify(HOGS));
  await page.evaluate(() => window.__sim.seek(1e9));
  await lab.idle();
  await lab.type('speed', '1000');
  const found = await announced(lab, 60e9);
  if (!found) throw new Error('nothing was announced');
  await lab.idle();
  expect(found.kind).toBe('sharedCore');
  expect(Number(await speed(lab).inputValue())).toBeLessThan(1000);
  await expect(page.getByText('slow for a moment')).toBeVisible();
  await expect(page.getByText('each move', { exact: true })).toBeVisible();
  const [lane] = await page.evaluate(() => window.__sim.stageRects());
  expect(lane?.regime).toBe('each move');
  // Words and chip appear as soon as the moved thread has arrived, and not before.
  await page.keyboard.press('k');
  await page.waitForFunction(() => window.__sim.stageRects().some((l) => l.sight?.hasChip));
  const [arrived] = await page.evaluate(() => window.__sim.stageRects());
  expect(arrived?.said.join()).toMatch(/jobs \d and \d share core \d/);
  await page.keyboard.press('w');
  // The card shows the decision of this event: the times are equal in all shown digits.
  await expect(card(lab)).toBeFocused();
  await expect(times(lab).filter({ hasText: `${clock(found.atNs)} · ` })).not.toHaveCount(0);
  await page.keyboard.press('Escape');
  // Time goes on as fast as before.
  await expect(speed(lab)).toHaveValue('1000');
  await expect(page.getByText('slow for a moment')).toBeHidden();
  await page.keyboard.press('k');
  await lab.idle();
});

test('J goes to the next moment that the scenario names and speaks of it, Shift J back; nothing is announced where it is switched off', async ({
  lab,
  page,
}) => {
  await lab.open('s.bfs-smt');
  const openedNs = await lab.now();
  const jump = async (key: string) => {
    await page.keyboard.press(key);
    await lab.idle();
    const [lane] = await page.evaluate(() => window.__sim.stageRects());
    return { nowNs: await lab.now(), sight: lane?.sight };
  };
  const chip = page.getByRole('button', { name: 'W why' });
  const first = await jump('j');
  expect(first.nowNs).toBeGreaterThan(openedNs);
  expect(first.sight).toMatchObject({ kind: 'sharedCore', atNs: first.nowNs, hasChip: true });
  await expect(page.locator('p[role="status"]').first()).toHaveText(/share core .*W asks why\./);
  // The chip is in the line under the machine.
  await chip.click();
  await expect(times(lab).first()).toContainText(clock(first.nowNs));
  await page.keyboard.press('Escape');
  const second = await jump('j');
  expect(second.nowNs).toBeGreaterThan(first.nowNs);
  expect(second.sight?.atNs).toBe(second.nowNs);
  expect((await jump('Shift+J')).nowNs).toBe(first.nowNs);

  await page.keyboard.press('?');
  await page.getByRole('checkbox', { name: 'Slow down for moments worth seeing' }).uncheck();
  await page.keyboard.press('Escape');
  await page.evaluate((ns) => window.__sim.seek(ns), openedNs);
  await lab.idle();
  await lab.type('speed', '200');
  expect(await announced(lab, second.nowNs)).toBeNull();
  await lab.idle();
  await expect(chip).toBeHidden();
  await expect(speed(lab)).toHaveValue('200');
});

test('W explains a moment to a class: one large sentence under the machine, which Esc closes first', async ({
  lab,
  page,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await lab.open('s.bfs-smt');
  await page.keyboard.press('p');
  await page.keyboard.press('j');
  await lab.idle();
  await expect(page.locator('p[role="status"]').first()).toHaveText(/share core .*W asks why\./);
  const presented = page.getByRole('region', { name: 'Presentation' });
  const why = page.getByRole('region', { name: 'Why?' });
  await page.keyboard.press('w');
  const said = why.locator('.sentence');
  await expect(said).toHaveText(
    /^cpu \d+ took dhry-\d+ beside dhry-\d+, although core \d+ has no job\.$/,
  );
  await expect(why).toContainText('Nobody looks at the sibling');
  // Two causes, each with its threads as on the stage; the two that share a core come last.
  const causes = why.locator('article');
  await expect(causes.nth(0)).toContainText(/A daemon took cpu \d+\.\s.*dhry-\d+ had to leave\./s);
  await expect(causes.nth(1).locator('[data-token^="dhry-"]')).toHaveCount(2);
  for (const words of (await said.innerText()).split('. '))
    expect(words.split(' ').length).toBeLessThanOrEqual(20);
  await lab.idle();
  const size = await said.evaluate((p) => Number.parseFloat(getComputedStyle(p).fontSize));
  expect(size).toBeGreaterThanOrEqual(22);
  // All of it is in sight, and the machine stands above it with the line between them.
  const cut = await why.evaluate((e) => e.scrollHeight - e.clientHeight);
  expect(cut).toBeLessThanOrEqual(0);
  await expect(page.locator('[data-ties="why"] polyline')).toHaveCount(1);
  const [lane] = await page.evaluate(() => window.__sim.stageRects());
  const top = (await why.boundingBox())?.y ?? 0;
  for (const { rect, thread } of lane?.tokens.filter((t) => t.state === 'slot') ?? [])
    expect(rect.y + rect.h, thread).toBeLessThanOrEqual(top);
  expect(await violations(page)).toEqual([]);
  // One thing at a time.
  await page.keyboard.press('Escape');
  await expect(why).toBeHidden();
  await expect(presented).toBeVisible();
  await page.keyboard.press('w');
  await expect(said).toBeVisible();
  await page.keyboard.press('w');
  await expect(why).toBeHidden();
  // What is said is about its moment.
  await page.keyboard.press('w');
  await expect(said).toBeVisible();
  await page.keyboard.press(' ');
  await expect(why).toBeHidden();
  await page.keyboard.press(' ');
  // After a change the answer's line has four rows, and the reason is still whole.
  const slider = page.getByRole('slider', { name: 'Processes', exact: true });
  await slider.focus();
  for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await lab.idle();
  await page.keyboard.press('j');
  await lab.idle();
  await page.keyboard.press('w');
  await lab.idle();
  await expect(page.getByText('Since the change at').last()).toBeVisible();
  await expect(said).toBeVisible();
  expect(await why.evaluate((e) => e.scrollHeight - e.clientHeight)).toBeLessThanOrEqual(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(presented).toBeHidden();
});

test('beside a reason in front of a class each of several lanes keeps its timeline', async ({
  lab,
  page,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await lab.open('s.bfs-smt');
  for (const key of ['p', 'j', 'w']) {
    await page.keyboard.press(key);
    await lab.idle();
  }
  await expect(page.getByRole('region', { name: 'Why?' }).locator('.sentence')).toBeVisible();
  const timelines = page.getByRole('application', { name: /^Timeline of/ });
  await expect(timelines).toHaveCount(3);
  for (const timeline of await timelines.all())
    expect((await timeline.boundingBox())?.height).toBeGreaterThan(30);
});
