/**
 * The first lecture of the manual (`docs/manual/first-lecture.md`), minute by minute and by keyboard, on the smallest
 * projector; and its lesson from the first step to the last with the notes in a second window.
 */
import { expect, type Lab, test } from './fixtures';

const head = (lab: Lab) => lab.page.locator('.classroom-head');
const hall = (lab: Lab) => lab.page.getByRole('complementary', { name: 'The hall' });
const step = (lab: Lab) => head(lab).locator('[data-step]');

async function press(lab: Lab, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await lab.page.keyboard.press(key);
    await lab.idle();
  }
}

test.use({ viewport: { width: 1024, height: 768 } });

test('the five minutes of the first lecture', async ({ lab, page }) => {
  test.slow();
  await lab.open('l1');
  const body = () => page.locator('body').innerText();
  const guess = page.locator('[data-guess-line="p1"]');

  await test.step('0: P presents the situation: eight CPUs, nine equal jobs, four schedulers', async () => {
    await press(lab, 'p');
    await expect(head(lab)).toContainText('Eight CPUs and nine equal jobs.');
    await expect(head(lab)).toContainText('Four schedulers get the same nine jobs.');
    // Each stands where it will begin: one on every CPU, and the ninth before one of them.
    const [lane] = await page.evaluate(() => window.__sim.stageRects());
    expect(lane?.slots).toHaveLength(8);
    const states = lane?.tokens.map(({ state }) => state).sort();
    expect(states).toEqual(['queue', ...Array<string>(8).fill('slot')]);
    expect(new Set(lane?.tokens.map(({ thread }) => thread)).size).toBe(9);
    for (const { rect } of lane?.tokens ?? []) {
      expect(rect.x).toBeGreaterThan(0);
      expect(rect.x + rect.w).toBeLessThan(1024);
    }
    expect(await lab.now()).toBe(0);
    await expect(page.getByRole('button', { name: 'ULE 2011 · drawn' })).toBeInViewport({
      ratio: 1,
    });
  });

  await test.step('1: Page Down asks the question', async () => {
    await press(lab, 'PageDown');
    await expect(
      page.getByRole('heading', { name: 'When is the last job ready under ULE?' }),
    ).toBeInViewport({ ratio: 1 });
    await expect(hall(lab).locator('li > button')).toHaveCount(4);
    expect(await body()).not.toMatch(/15\.7/);
  });

  await test.step('2: a digit and Enter keep the guess, as a dashed line', async () => {
    await press(lab, '2');
    await expect(hall(lab).locator('.chosen')).toHaveText(/11\.3\ss/);
    await press(lab, 'Enter');
    await expect(guess).toBeInViewport();
    await expect(guess).toHaveCSS('border-left-style', 'dashed');
    await expect(page.getByText('the hall: 11.3 s')).toBeInViewport({ ratio: 1 });
  });

  await test.step('3: Enter runs; a move is announced', async () => {
    // Past the question of order.
    await press(lab, 'Enter');
    await expect(step(lab)).toContainText('Run');
    await page.keyboard.press('Enter');
    // It stays the subject of W, however slow the computer is.
    const announced = page.getByRole('button', { name: /^Why\? the balancer moves job-/ });
    await expect(announced).toBeAttached({ timeout: 60_000 });
    await expect(guess).toBeVisible();
    expect(await lab.now()).toBeGreaterThan(0);
  });

  await test.step('4: W tells the rule that decided, with its numbers; Esc closes it', async () => {
    await page.keyboard.press('w');
    const why = page.getByRole('region', { name: 'Why?' });
    await expect(why.locator('.sentence')).toBeInViewport({ ratio: 1 });
    await expect(why.locator('.sentence')).toHaveText(/\w.*\.$/);
    await expect(why.locator('.foot')).toContainText(/\d/);
    await lab.idle();
    await press(lab, 'Escape');
    await expect(why).toBeHidden();
    await expect(head(lab)).toBeVisible();
  });

  await test.step("5: Page Down, past the question of the stop, explains: the run's number beside the guess", async () => {
    await press(lab, 'PageDown');
    await expect(step(lab)).toContainText('Observe');
    await press(lab, 'PageDown');
    await expect(step(lab)).toContainText('Explain');
    const [number, said] = [head(lab).locator('[data-answer]'), head(lab).locator('[data-guess]')];
    await expect(number).toHaveText(/^15\.7/);
    await expect(said).toHaveText(/^11\.3/);
    for (const one of [number, said]) await expect(one).toBeInViewport({ ratio: 1 });
    // All four lanes in one chart, the soonest first.
    const exits = page.locator('[data-exits]');
    await expect(exits).toHaveAttribute(
      'aria-label',
      /: 4BSD 11\.4.s; CFS 14\.1.s; BFS 15.*; ULE 15\.7.s; the guess: 11\.3.s$/,
    );
    await expect(exits).toBeInViewport({ ratio: 1 });
    await expect(exits.locator('.guess')).toBeVisible();
    // The rule beside the job that waits, and the picture at the moment when six CPUs are idle.
    await expect(page.locator('.lesson-words')).toHaveText(
      /^ULE takes only from queues of 3 or more\..*2 threads/,
    );
    await expect(page.locator('.lesson-words')).toBeInViewport({ ratio: 1 });
    await expect(page.getByText('the picture: 10.1 s')).toBeInViewport({ ratio: 1 });
    // Rows that can be read from the last row, with the numbers of their jobs.
    const past = await page.getByRole('application', { name: /^Timeline of ULE/ }).boundingBox();
    expect((past?.height ?? 0) / 8).toBeGreaterThan(24);
    const [lane] = await page.evaluate(() => window.__sim.stageRects());
    const sizes = new Map(lane?.tokens.map(({ state, rect }) => [state, rect.w]));
    // Without the room of the ring it is as large as the running ones.
    expect(sizes.get('queue')).toBeGreaterThan(0.75 * (sizes.get('slot') ?? Infinity));
    await expect(guess).toBeInViewport();
  });
});

test('all steps of lesson 1 in front of a class: the notes in the second window, no answer in the first', async ({
  lab,
  page,
}) => {
  test.slow();
  await lab.open('l1.1');
  await press(lab, 'p');
  const [notes] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('n')]);
  await expect(notes.locator('li b').first()).toHaveText(/^C: about 15/);
  await expect(notes.locator('p', { hasText: 'Surprise:' })).toContainText(/\d s/);
  await page.bringToFront();
  const teacher = await notes.locator('.notes').innerText();
  const secret = /(?:Ask|Surprise):\s*(.{20})/g;
  const secrets = [...teacher.matchAll(secret)].map(([, words = '']) => words);
  expect(secrets).toHaveLength(2);
  let isTold = false;
  for (let at = 1; ; at += 1) {
    const words = await step(lab).innerText();
    const [, name = '', number = '', steps = ''] = /^(.*) · step (\d+) of (\d+)$/.exec(words) ?? [];
    expect(Number(number)).toBe(at);
    // The run has answered the guess when it stops.
    isTold ||= name === 'Observe';
    await test.step(`step ${number}: ${name}`, async () => {
      await expect(notes.locator('.where')).toContainText(`step ${number} of ${steps}: ${name}`);
      const seen = await page.locator('body').innerText();
      for (const words of ['Surprise:', 'Ask:', ...secrets]) expect.soft(seen).not.toContain(words);
      // Neither marked, nor in the chart, nor as a number.
      if (name !== 'Explain') await expect.soft(page.locator('.true, [data-exits]')).toHaveCount(0);
      // A guess about ULE does not stay under BFS.
      const lanes = await page.locator('.timelines .lanes .who').allInnerTexts();
      if (isTold) expect.soft(lanes.length).toBeGreaterThan(0);
      if (lanes.length > 0 && !lanes.some((lane) => lane.startsWith('ULE')))
        await expect.soft(page.locator('[data-guess-line]')).toHaveCount(0);
      if (!isTold) expect.soft(seen).not.toMatch(/15\.7|11\.4/);
    });
    if (number === steps) break;
    if (name === 'Predict') await press(lab, '2');
    await press(lab, 'PageDown');
  }
  expect(isTold).toBe(true);
  await press(lab, 'p');
  await expect.poll(() => notes.isClosed()).toBe(true);
});
