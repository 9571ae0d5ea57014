/** Asking why: each part of the page opens the card of its decision. */
import type { Page } from '@playwright/test';
import { violations } from './axe';
import { expect, type Lab, test } from './fixtures';

/** The last answer. */
function answer(page: Page, name: RegExp) {
  return page.getByRole('region', { name: 'Why?' }).getByRole('group', { name });
}

/** How many moves the first machine shows. */
const arrows = (lab: Lab) =>
  lab.page.evaluate(() => window.__sim.stageRects()[0]?.lines.length ?? 0);

/** Goes to a moment at which a job of BFS has just moved; moves of daemons have no arrow. */
async function openMoves(lab: Lab): Promise<void> {
  await lab.open('v=2&x=bfs-smt&t=200');
  do await lab.step('migration');
  while ((await arrows(lab)) === 0);
}

const crowd = {
  version: 1,
  name: 'a crowd that sleeps and is balanced',
  seed: 1,
  machine: 'i7860',
  schedulers: [{ id: 'cfs', era: '4.9' }, { id: 'ule' }],
  groups: [
    { name: 'hog', count: 11, behaviour: { kind: 'compute' } },
    { name: 'type', count: 6, behaviour: { kind: 'interactive' } },
  ],
  end: { atNs: 60e9 },
};

test('the pointer asks why: slices, arrows and moves', async ({ lab, page }) => {
  await openMoves(lab);
  await test.step('a click on an arrow explains why that thread moved there', async () => {
    const machine = page.getByRole('application', { name: /^Machine of BFS/ });
    const tip = machine.locator('.tip');
    // The words about a move are below the middle of its arrow; the pointer finds the arrow near there, too.
    await machine.focus();
    await page.keyboard.press('m');
    const box = await tip.boundingBox();
    if (!box) throw new Error('no move is shown');
    const [left, top] = [Math.round(box.x + box.width / 2), Math.round(box.y - 6)];
    let moved: RegExpExecArray | null = null;
    for (let far = 0; far < 80 && !moved; far += 5)
      for (const [x, y] of [
        [0, 0],
        [far, 0],
        [-far, 0],
        [0, far],
        [0, -far],
      ] as const) {
        await page.mouse.move(left + x, top + y);
        const text = (await tip.count()) > 0 ? await tip.innerText() : '';
        moved = /^(\S+) moved from (cpu \d+) to (cpu \d+) at/.exec(text);
        if (!moved) continue;
        await page.mouse.click(left + x, top + y);
        break;
      }
    const [told = '', thread = '', , to = ''] = moved ?? [];
    await lab.idle();
    const card = answer(page, new RegExp(`^${told}`));
    await expect(card.locator('h5').first()).toHaveText(/^Why it is on this CPU/);
    for (const word of [thread, to])
      await expect(card.locator('.sentence').first()).toContainText(word);
  });
  await test.step('a click on a slice explains why that thread ran then, and why on that CPU', async () => {
    const timeline = page.getByRole('application', { name: 'Timeline of BFS' });
    const line = page.locator('.timelines .under');
    let seen = 0;
    // Places all over the rows: a thread runs at some, a CPU is idle at others.
    for (const [part, row] of [
      [0.2, 0.2],
      [0.35, 0.45],
      [0.45, 0.62],
      [0.6, 0.95],
      [0.65, 0.2],
      [0.3, 0.1],
      [0.5, 0.3],
      [0.55, 0.75],
    ] as const) {
      // The card is to the right of them.
      const box = await timeline.boundingBox();
      if (!box) throw new Error('the timeline has no place');
      const at = { x: box.x + box.width * part, y: box.y + box.height * row };
      await page.mouse.move(at.x, at.y);
      await expect(line).toContainText(' · cpu ');
      const under = (await line.textContent()) ?? '';
      const [, cpu = '', thread = ''] = / · (cpu \d+) · (\S+) for /.exec(under) ?? [];
      if (thread === '') continue;
      await page.mouse.click(at.x, at.y);
      await lab.idle();
      const card = answer(page, new RegExp(`^${thread} on ${cpu} from `));
      // A CPU that takes a thread from the global queue also moves it: then one decision answers both.
      await expect(card.locator('h5').first()).toHaveText(/^Why it runs now/);
      await expect(card.locator('.sentence').first()).toContainText(thread);
      await expect(card.locator('.sentence').first()).toContainText(cpu);
      await expect(card.locator('article')).not.toHaveCount(0);
      // The whole page has moved up under the bar, not the card alone.
      await expect(card).toBeInViewport();
      await expect(page.getByRole('banner')).toBeInViewport({ ratio: 1 });
      seen += 1;
    }
    expect(seen).toBeGreaterThan(1);
    expect(await violations(page)).toEqual([]);
  });
  await test.step('a move between queues of CPUs has both answers: why it is there, why it runs now', async () => {
    await page.evaluate((s) => window.__sim.open(s), JSON.stringify(crowd));
    await page.evaluate(() => window.__sim.seek(500e6));
    await lab.idle();
    for (const name of ['CFS', 'ULE']) {
      await page.getByRole('button', { name, exact: true }).click();
      await lab.step('migration');
      const move = page.getByRole('button', { name: /^Why\? .+ moved from/ });
      const [, thread = '', to = ''] =
        /^Why\? (\S+) moved from cpu \d+ to (cpu \d+) at/.exec((await move.textContent()) ?? '') ??
        [];
      await page.keyboard.press('w');
      await lab.idle();
      const card = answer(page, new RegExp(`^${thread} moved from cpu \\d+ to ${to} at`));
      await expect(card.locator('h5')).toHaveText(['Why it is on this CPU', 'Why it runs now']);
      // Candidates have names, whether they are CPUs or threads.
      for (const fold of await card.getByText(/^\d+ candidates?$/).all()) await fold.click();
      for (const text of await card.locator('tbody th').allTextContents())
        expect(text).toMatch(/cpu \d+|hog|type/);
      for (const text of await card.locator('.sentence').allTextContents()) {
        expect(text).toContain(thread);
        expect(text).toContain(to);
      }
    }
  });
});

test('at 1280 × 800 the docked row shows subject, controls, reason, causes and losers; arrow keys set nice at once', async ({
  lab,
  page,
}) => {
  await lab.open('v=2&x=bfs-smt&s=bfs,cfs&t=33');
  await page.keyboard.press('j');
  await lab.idle();
  await page.keyboard.press('w');
  await lab.idle();
  const dock = page.getByRole('complementary', { name: 'Inspect' });
  const control = dock.getByRole('region', { name: 'Change this thread' });
  const card = answer(page, /./);
  for (const part of [
    dock.locator('[data-token]').first(),
    control.getByRole('slider'),
    ...(await control.getByRole('button').all()),
    card.locator('.sentence').first(),
    ...(await card.locator('ol > li').all()),
    card.locator('tbody tr').first(),
  ])
    await expect(part).toBeInViewport({ ratio: 1 });
  await expect(card.locator('ol > li')).toHaveCount(2);
  await expect(card.locator('ol > li').first()).toContainText(/: \d+\sms < \d+\sms/);
  await test.step('a click on a thread and an arrow key: two actions', async () => {
    const [lane] = await page.evaluate(() => window.__sim.stageRects());
    const token = lane?.tokens.find((t) => t.state === 'slot' && !t.isDaemon);
    if (!token) throw new Error('nobody runs');
    const { x, y, w, h } = token.rect;
    await page.mouse.click(x + w / 2, y + h / 2);
    await expect(page.getByRole('slider', { name: `Nice of ${token.thread}` })).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await lab.idle();
    const nice = page.getByRole('spinbutton', { name: `Nice of ${token.thread}` });
    await expect(nice).toHaveValue('1');
  });
  expect(await violations(page)).toEqual([]);
  await test.step('all controls are in view with 16 CPUs and a slice, too', async () => {
    const scenario = {
      version: 1,
      name: 'many CPUs',
      seed: 1,
      machine: 'v890',
      schedulers: [{ id: 'eevdf' }],
      groups: [{ name: 'hog', count: 12, behaviour: { kind: 'compute' } }],
      end: { atNs: 1e9 },
    };
    await page.evaluate((s) => window.__sim.open(s), JSON.stringify(scenario));
    await lab.idle();
    await page.evaluate(() => window.__sim.seek(100e6));
    await lab.idle();
    await page.locator('.shares .row').first().click();
    await expect(control.getByRole('slider')).toHaveCount(2);
    const buttons = await control.getByRole('button').all();
    expect(buttons).toHaveLength(3 + 16);
    for (const button of buttons) await expect(button).toBeInViewport({ ratio: 1 });
    expect(await violations(page)).toEqual([]);
  });
});

test('after W by keyboard, the first Escape closes the details, and W opens them again', async ({
  lab,
  page,
}) => {
  await lab.open();
  const details = page.getByRole('button', { name: 'Inspect', exact: true });
  await page.keyboard.press('j');
  await lab.idle();
  for (let time = 0; time < 2; time += 1) {
    await page.keyboard.press('w');
    await lab.idle();
    await expect(details).toHaveAttribute('aria-expanded', 'true');
    await expect(answer(page, /./)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(details).toHaveAttribute('aria-expanded', 'false');
  }
});

test('the keyboard asks why: announcements, threads, tables and reasons', async ({ lab, page }) => {
  await openMoves(lab);
  await test.step('no line crosses the stage from the answer beside the timelines', async () => {
    await page.keyboard.press('w');
    await lab.idle();
    await expect(answer(page, /./).locator('.sentence').first()).toBeVisible();
    await expect(page.locator('svg[data-ties=why] polyline')).toHaveCount(0);
  });
  await test.step('Enter on an announcement opens the card of that move, and Escape leads back', async () => {
    const timeline = page.getByRole('application', { name: 'Timeline of BFS' });
    await timeline.focus();
    await page.keyboard.press('.');
    await lab.idle();
    const said = page.getByRole('button', { name: /^Why\? \S+ moved from/ });
    const [, thread = '', to = ''] =
      /(\S+) moved from cpu \d+ to (cpu \d+)/.exec((await said.textContent()) ?? '') ?? [];
    await said.focus();
    await expect(said).toBeInViewport();
    await page.keyboard.press('Enter');
    await lab.idle();
    const card = answer(page, new RegExp(`^${thread} moved from cpu \\d+ to ${to} at`));
    await expect(card).toBeFocused();
    for (const word of [thread, to])
      await expect(card.locator('.sentence').first()).toContainText(word);
    await page.keyboard.press('Escape');
    await expect(said).toBeFocused();
  });
  await test.step('threads, slices and moves', async () => {
    const machine = page.getByRole('application', { name: /^Machine of BFS/ });
    const told = page.locator('[role=status][aria-live=polite]');
    await machine.focus();
    await page.keyboard.press('Home');
    const tip = machine.locator('.tip');
    for (let i = 0; i < 8 && !/ runs on cpu /.test(await tip.innerText()); i++)
      await page.keyboard.press(i % 4 < 3 ? 'ArrowRight' : 'ArrowDown');
    const [, runs = ''] = /^(\S+) runs on cpu /.exec(await tip.innerText()) ?? [];
    await page.keyboard.press('Enter');
    await lab.idle();
    await expect(answer(page, new RegExp(`^${runs} (on|moved .* to) cpu `))).toBeFocused();
    await machine.focus();
    // How far time has run before depends on the computer, and moves of daemons are not shown.
    do {
      await page.keyboard.press('.');
      await lab.idle();
    } while ((await arrows(lab)) === 0);
    await page.keyboard.press('m');
    await expect(told).toContainText(/moved from cpu \d+ to cpu \d+ .*Enter asks why/);
    const [, thread = ''] = /(\S+) moved from/.exec((await told.textContent()) ?? '') ?? [];
    await page.keyboard.press('Enter');
    await lab.idle();
    await expect(answer(page, new RegExp(`^${thread} moved from`))).toBeFocused();
    const timeline = page.getByRole('application', { name: 'Timeline of BFS' });
    await timeline.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('PageUp');
    await page.keyboard.press('Enter');
    await lab.idle();
    await expect(answer(page, /^(\S+ on )?cpu \d+ .*from /)).toBeFocused();
  });
  await test.step('rows of tables', async () => {
    await page.getByRole('button', { name: 'Tables' }).click();
    const moves = page.getByRole('table', { name: 'Last moves of BFS' });
    const first = moves.getByRole('button').first();
    const text = (await first.textContent()) ?? '';
    await first.click();
    await lab.idle();
    await expect(
      answer(page, new RegExp(`^${text}`))
        .locator('.sentence')
        .first(),
    ).toContainText(text.split(' ')[0] ?? '?');
    const threads = page.getByRole('table', { name: /^Threads of BFS/ });
    const name = (await threads.getByRole('button').first().textContent()) ?? '';
    await threads.getByRole('button').first().click();
    await lab.idle();
    await expect(
      answer(page, new RegExp(`^${name} `))
        .locator('.sentence')
        .first(),
    ).toContainText(name);
  });
  await test.step('steps stop at any named reason', async () => {
    await page.getByLabel('Step by').selectOption({ label: 'a reason …' });
    const dialog = page.getByRole('dialog', { name: 'Step to a reason of BFS' });
    await dialog.getByRole('combobox').fill('used up');
    await expect(dialog.getByRole('option')).not.toHaveCount(0);
    await dialog.getByRole('combobox').fill('slice expired');
    await expect(dialog.getByRole('option').first()).toContainText('slice expired');
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(page.getByLabel('Step by')).toHaveValue('reason:slice_expired');
    const before = await lab.now();
    await page.getByRole('button', { name: 'Step', exact: true }).click();
    await lab.idle();
    expect(await lab.now()).toBeGreaterThan(before);
    await page.keyboard.press('w');
    await lab.idle();
    const card = page.getByRole('region', { name: 'Why?' }).getByRole('article').first();
    await expect(card.locator('.sentence')).toContainText('used up');
  });
  await test.step('every reason is counted over the whole run, by CPU and by thread', async () => {
    await lab.panel('Inspect');
    await page.getByText('All measures').click();
    await lab.idle();
    const table = page.getByRole('region', { name: 'Decisions by reason' });
    const all = async () =>
      Number(
        (
          (await table.getByRole('row').nth(1).getByRole('cell').first().textContent()) ?? ''
        ).replace(/\D/g, ''),
      );
    // The table is filled after it is drawn, so its first rows come after the panel.
    await expect.poll(all).toBeGreaterThan(100);
    const whole = await all();
    await page.getByLabel('Count decisions about').selectOption('cpu 0');
    await expect.poll(all).toBeLessThan(whole);
    const onCpu = await all();
    expect(onCpu).toBeGreaterThan(0);
    await page.getByLabel('Count decisions about').selectOption({ label: 'about dhry-1' });
    await expect.poll(async () => [whole, onCpu].includes(await all())).toBe(false);
    expect(await all()).toBeLessThan(whole);
  });
});
