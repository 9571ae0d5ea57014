/**
 * A lesson in front of a class: readable from the last row, stepped by a clicker, with hands, notes and a black
 * screen.
 */
import { readFile } from 'node:fs/promises';
import { violations } from './axe';
import { expect, type Lab, test } from './fixtures';
import { lookAt, smallInCanvases, watchCanvases } from './readable';

const HANDS = ['6', '31', '19', '8'];

const head = (lab: Lab) => lab.page.locator('.classroom-head');
const hall = (lab: Lab) => lab.page.getByRole('complementary', { name: 'The hall' });
const option = (lab: Lab, letter: string) =>
  hall(lab)
    .locator('li')
    .filter({ has: lab.page.locator('b', { hasText: letter }) })
    .locator('button');

/** The present step, and the number of steps. */
async function stepOf(lab: Lab): Promise<readonly [number, number]> {
  const words = await head(lab).locator('[data-step]').innerText();
  const [, step = '', steps = ''] = /step (\d+) of (\d+)/.exec(words) ?? [];
  return [Number(step), Number(steps)];
}

async function press(lab: Lab, key: string): Promise<void> {
  await lab.page.keyboard.press(key);
  await lab.idle();
}

/** Presents lesson 1 at a step. */
async function present(lab: Lab, at: 'l1.1' | 'l1.2' = 'l1.2'): Promise<void> {
  await lab.open(at);
  await press(lab, 'p');
  await expect(head(lab)).toBeVisible();
  await lab.idle();
}

/** Types the number of hands for each option, from the first box on, and submits them. */
async function vote(lab: Lab, hands: readonly string[]): Promise<void> {
  const { page } = lab;
  await hall(lab).getByRole('textbox', { name: 'Hands for A' }).focus();
  for (const [i, n] of hands.entries()) {
    await page.keyboard.type(n);
    // Past the next option, to its box.
    if (i < hands.length - 1) for (const key of ['Tab', 'Tab']) await page.keyboard.press(key);
  }
  await press(lab, 'Enter');
}

test.use({ viewport: { width: 1024, height: 768 } });

/** Steps through the whole lesson: every text is large enough for a hall, nothing is cut, and axe finds nothing. */
async function readFromTheLastRow(
  lab: Lab,
  [width, height, least]: readonly [number, number, number],
): Promise<void> {
  const { page } = lab;
  await page.addInitScript(watchCanvases);
  await page.setViewportSize({ width, height });
  await present(lab, 'l1.1');
  // Texts that were written before were not for a class.
  await page.evaluate(() => {
    (window as unknown as { written: Map<string, number> }).written.clear();
  });
  for (;;) {
    const [step, steps] = await stepOf(lab);
    const name = `step ${String(step)}`;
    const stage = await page.evaluate(lookAt, 20);
    expect.soft(stage, name).toEqual({ small: [], cut: [] });
    // The smallest visible size among question, answer, options and text of the lesson.
    const sizes = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.classroom-head *, .classroom *')]
        .filter((e) => e.checkVisibility() && !e.closest('.visually-hidden'))
        .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent?.trim()))
        .map((e) => ({ text: e.innerText, px: Number.parseFloat(getComputedStyle(e).fontSize) })),
    );
    expect(sizes.length, name).toBeGreaterThan(3);
    expect
      .soft(
        sizes.filter(({ px }) => px < least),
        name,
      )
      .toEqual([]);
    expect.soft(await smallInCanvases(lab, 20), `${name}: on canvases`).toEqual([]);
    expect.soft(await violations(page), `${name}: axe`).toEqual([]);
    if (step === steps) break;
    if (step === 2) await vote(lab, HANDS);
    await press(lab, 'PageDown');
    expect(await stepOf(lab)).toEqual([step + 1, steps]);
  }
  const slider = page.getByRole('slider', { name: 'Processes' });
  await expect(slider).toBeInViewport({ ratio: 1 });
  await press(lab, 'PageUp');
  const [step, steps] = await stepOf(lab);
  expect(step).toBe(steps - 1);
}

test('every text of a lesson is large enough at 1024 × 768', async ({ lab }) => {
  test.slow();
  await readFromTheLastRow(lab, [1024, 768, 22]);
});

test(
  'every text of a lesson is large enough at 1920 × 1080',
  { tag: '@nightly' },
  async ({ lab }) => {
    test.slow();
    await readFromTheLastRow(lab, [1920, 1080, 28]);
  },
);

test('lesson 1 shows its nine jobs, and runs only after the guess', async ({ lab, page }) => {
  await present(lab, 'l1.1');
  const tokens = await page.evaluate(() => window.__sim.stageRects()[0]?.tokens ?? []);
  const numbers = tokens.map(({ thread }) => thread.replace('job-', '')).sort();
  expect(numbers).toEqual([...'123456789']);
  expect(Math.min(...tokens.map(({ rect }) => rect.w))).toBeGreaterThanOrEqual(60);
  const play = page.getByRole('button', { name: 'Play' });
  for (const step of [1, 2]) {
    await expect(page.getByText('first a guess, then the run')).toBeVisible();
    await expect(play).toBeDisabled();
    await press(lab, ' ');
    expect([await stepOf(lab), await lab.now()]).toEqual([[step, 11], 0]);
    if (step === 1) await press(lab, 'PageDown');
  }
  await press(lab, 'PageDown');
  await press(lab, 'PageDown');
  await expect(play).toBeEnabled();
});

test('hands become bars, are counted twice, and are shown with the right answer and in a table', async ({
  lab,
  page,
}) => {
  await present(lab);
  await vote(lab, HANDS);
  await expect(hall(lab)).toContainText('64 hands');
  await expect(option(lab, 'B')).toHaveAttribute('aria-pressed', 'true');
  const bars = hall(lab).locator('.bars i');
  const widths = await bars.evaluateAll((all) =>
    all.map((bar) => bar.getBoundingClientRect().width),
  );
  expect(widths).toHaveLength(4);
  expect(widths.map((w) => Math.round((w / (widths[1] ?? 1)) * 31))).toEqual(HANDS.map(Number));
  await hall(lab).getByRole('button', { name: 'Vote again' }).click();
  await hall(lab).getByRole('textbox', { name: 'Hands for A' }).fill('many');
  await press(lab, 'Enter');
  await expect(hall(lab).getByRole('status')).toHaveText('A: 0 to 9999 hands.');
  await hall(lab).getByRole('textbox', { name: 'Hands for A' }).fill('');
  await vote(lab, ['0', '20', '40', '4']);
  await expect(bars).toHaveCount(8);
  await expect(option(lab, 'C')).toHaveAttribute('aria-pressed', 'true');
  // On to the explanation: the right answer beside both votes, and the run's number beside the audience's.
  await expect(hall(lab).locator('.true')).toHaveCount(0);
  while (!(await head(lab).innerText()).includes('Explain')) await press(lab, 'PageDown');
  await expect(head(lab).locator('[data-answer] .number')).toHaveText(/^15\.7/);
  // The first explanation has the whole width; the hands are beside the next one.
  await press(lab, 'PageDown');
  await expect(hall(lab).locator('.true')).toHaveText(/^C/);
  await expect(hall(lab).locator('.true .count')).toHaveText(/^19 → 40/);
  await expect(hall(lab).locator('[data-answer] .number')).toHaveText(/^15\.7/);
  for (let [step, steps] = await stepOf(lab); step < steps; [step, steps] = await stepOf(lab))
    await press(lab, 'PageDown');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    hall(lab).getByRole('button', { name: 'Save the votes as a table' }).click(),
  ]);
  const rows = (await readFile(await download.path(), 'utf8')).trimEnd().split(/\r?\n/);
  expect(rows).toHaveLength(5);
  expect(rows[3]).toMatch(/,3,.*,19,40,true$/);
});

test('a clicker, a digit, notes in a second window, and a black screen; nothing of it is kept', async ({
  lab,
  page,
}) => {
  await lab.open('l1.2');
  await press(lab, 'd');
  await press(lab, 'Enter');
  await press(lab, 'PageUp');
  await expect(page.getByRole('radio', { name: /about 20/ })).toBeChecked();
  await press(lab, 'p');
  await expect(head(lab)).toBeVisible();

  await test.step('neither the kept answer nor a notice is shown', async () => {
    await expect(hall(lab).locator('.chosen')).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Notices' })).toHaveCount(0);
  });

  await test.step('a digit chooses, and a clicker goes on from there', async () => {
    await press(lab, '2');
    await expect(option(lab, 'B')).toHaveAttribute('aria-pressed', 'true');
    await press(lab, 'PageDown');
    expect((await stepOf(lab))[0]).toBe(3);
    await press(lab, 'PageUp');
    await expect(option(lab, 'B')).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('N shows nothing of the notes here, even where no window can open', async () => {
    await page.evaluate(() => {
      const own = window.open.bind(window);
      window.open = () => {
        window.open = own;
        return null;
      };
    });
    await page.keyboard.press('n');
    await expect(page.getByRole('alert')).toContainText('Allow pop-up windows');
    expect(await page.locator('body').innerText()).not.toMatch(/Surprise|Ask:/);
  });

  await test.step('B makes the screen black', async () => {
    await page.keyboard.press('b');
    const blank = page.getByRole('button', { name: 'Show the page again' });
    await expect(blank).toHaveCSS('background-color', 'rgb(0, 0, 0)');
    expect(await blank.boundingBox()).toEqual({ x: 0, y: 0, width: 1024, height: 768 });
    await page.keyboard.press('b');
    await expect(blank).toHaveCount(0);
  });

  await test.step('notes, answers and the next step are in a second window, whose keys act here', async () => {
    const [notes] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('n')]);
    const told = notes.locator('li.now b');
    await expect(told).toHaveText(/^C: about 15/);
    await expect(notes.getByRole('heading', { name: 'Next' })).toBeVisible();
    // The teacher's texts have the numbers of this run.
    await expect(notes.locator('p', { hasText: 'Surprise:' })).toContainText(/\d s/);
    // The audience sees nothing of it.
    expect(await page.locator('body').innerText()).not.toMatch(/Surprise|Ask:/);
    await expect(hall(lab).locator('.true')).toHaveCount(0);
    await notes.keyboard.press('PageDown');
    await expect(notes.locator('.where')).toContainText('step 3 of');
    await lab.idle();
    expect((await stepOf(lab))[0]).toBe(3);
    await notes.keyboard.press('PageUp');
    await expect(notes.locator('.where')).toContainText('step 2 of');
    await lab.idle();
    await press(lab, 'p');
    await expect.poll(() => notes.isClosed()).toBe(true);
  });

  await expect(page.getByRole('radio', { name: /about 20/ })).toBeChecked();
});

test('the pointer is a spotlight on a thread in all views', async ({ lab, page }) => {
  await present(lab);
  while (!(await head(lab).innerText()).includes('Run')) await press(lab, 'PageDown');
  const token = await page.evaluate(() => {
    const [lane] = window.__sim.stageRects();
    const there = lane?.tokens.find(({ state }) => state === 'slot');
    return there && { ...there.rect, thread: there.thread };
  });
  if (!token) throw new Error('nobody runs');
  await page.mouse.move(token.x + token.w / 2, token.y + token.h / 2);
  const rows = page.locator('.bars .row');
  await expect(rows.and(page.locator('.dim'))).toHaveCount((await rows.count()) - 1);
  await page.mouse.move(500, 20);
  await expect(rows.and(page.locator('.dim'))).toHaveCount(0);
});
