/** Own policies: the second package of the core, the editor, mistakes, comparing, links. Only a page with it has them. */
import type { Browser } from '@playwright/test';
import { expect, idle, type Lab, test } from './fixtures';

const GOOD = `def pick(cpu):
    because("the first in line", cpu.waiting[0])
    return cpu.waiting[0]

def slice(t):
    return 3 * ms
`;
const UNREADABLE = GOOD.replace('cpu.waiting[0]\n\n', 'mix(cpu.waiting)\n\n');
const STOPS = GOOD.replace(
  '    return cpu.',
  '    if now() > 50 * ms:\n        return 7\n    return cpu.',
);

/** Opens a scenario with an own policy in its first lane, and Setup. */
async function withOwn(lab: Lab): Promise<void> {
  const { page } = lab;
  await lab.open('s.bfs-smt');
  await page.getByRole('button', { name: 'Setup' }).first().click();
  await page.getByLabel('Scheduler of lane 1').selectOption('own');
  await expect(page.getByRole('textbox', { name: 'Program of lane 1' })).toBeVisible();
  await lab.idle();
}

/** Replaces the program as a writer does, and waits until the page has read it. */
async function write(lab: Lab, text: string): Promise<void> {
  const { page } = lab;
  const box = page.getByRole('textbox', { name: 'Program of lane 1' });
  await box.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** Opens a link in a profile in which nothing is kept, and returns the digests of its lanes. */
async function inFreshProfile(browser: Browser, link: string): Promise<readonly (string | null)[]> {
  const other = await browser.newContext({ serviceWorkers: 'block' });
  const fresh = await other.newPage();
  await fresh.goto(link);
  await idle(fresh);
  const digests = await fresh.evaluate(() => window.__sim.digests());
  await other.close();
  return digests;
}

test('a policy is chosen, broken, mended, compared and sent as a link @nightly', async ({
  lab,
  page,
  browser,
}) => {
  await withOwn(lab);
  const editor = page.getByRole('group', { name: 'Program of lane 1' });
  await page.getByLabel('Template of lane 1').selectOption('roundRobin');
  await expect(editor).toContainText('Round robin: each thread has a turn');
  await page.getByLabel('Template of lane 1').selectOption('stride');
  await expect(editor).toContainText('thread_state("stride_pass"');
  await lab.idle();

  await write(lab, UNREADABLE);
  await expect(editor).toContainText('there is no `mix`');
  await expect(editor).toContainText('The program that could be read last runs on.');
  await editor.getByRole('button', { name: 'line 3, column 12' }).click();
  await expect(page.getByRole('textbox', { name: 'Program of lane 1' })).toBeFocused();

  await write(lab, GOOD);
  await expect(editor).toContainText('It runs.');
  await lab.idle();
  await page.getByLabel('Compare lane 1 with').selectOption('cfs');
  await lab.idle();
  await editor.getByRole('button', { name: /first difference/i }).click();
  await expect(editor.getByRole('button', { name: /^First difference: / })).toBeVisible();

  await page.evaluate(() => window.__sim.seek(3e8));
  await lab.idle();
  const digests = await lab.digests();
  expect(digests).toHaveLength(4);
  await expect(page).toHaveURL(/lanes\.1\.program=/);
  expect(await inFreshProfile(browser, page.url())).toEqual(digests);
});

test('a program takes over in the middle of a run: what ran before stays, and a link keeps it @nightly', async ({
  lab,
  page,
  browser,
}) => {
  await withOwn(lab);
  await page.getByLabel('Template of lane 1').selectOption('fifo');
  await lab.idle();
  await page.evaluate(() => window.__sim.seek(1e8));
  await lab.idle();
  const editor = page.getByRole('group', { name: 'Program of lane 1' });
  await editor.getByLabel('Let a change take over now').check();
  // Two programs at one moment: the second one takes the place of the first.
  await write(lab, GOOD.replace('3 * ms', '5 * ms'));
  await expect(page).toHaveURL(/lanes\.1\.program=.*@100/);
  await write(lab, GOOD);
  await lab.idle();
  // One mark on the time line; the words beside the scenario's name say more than it.
  const mark = page.getByTitle('another program in lane 1 at 100.000 ms', { exact: true });
  await expect(mark).toHaveCount(1);
  await page.evaluate(() => window.__sim.seek(9e7));
  await page.evaluate(() => window.__sim.seek(3e8));
  await lab.idle();
  const after = await lab.digests();
  expect(await inFreshProfile(browser, page.url())).toEqual(after);
  await write(lab, GOOD.replace('3 * ms', '3 * ms\n\nthread_state("more", 0)'));
  await expect(editor).toContainText('`more` is new: what threads keep is settled');
});

test('a decision is gone through line by line, and back, beside the numbers that it keeps @nightly', async ({
  lab,
  page,
}) => {
  await withOwn(lab);
  await page.getByLabel('Template of lane 1').selectOption('stride');
  await lab.idle();
  await page.evaluate(() => window.__sim.seek(1e8));
  await lab.idle();
  await lab.panel('Inspect');
  const why = page.getByRole('region', { name: 'Why?' });
  await why.getByLabel('Kind of decision').selectOption('pickNext');
  await lab.idle();
  await why.locator('ul > li > button').first().click();
  await why.getByRole('button', { name: 'Step through its lines' }).click();
  const steps = page.getByRole('group', { name: 'Executed lines of lane 1' });
  const editor = page.getByRole('group', { name: 'Program of lane 1' });
  const next = steps.getByRole('button', { name: 'Next line' });
  const last = await steps.getByRole('slider').getAttribute('max');
  expect(Number(last)).toBeGreaterThan(3);
  await expect(steps).toContainText(`1 of ${String(last)}`);
  await expect(steps.getByRole('button', { name: 'Line back' })).toBeDisabled();
  while (await next.isEnabled()) await next.click();
  // The call of slice comes after the pick.
  await expect(steps).toContainText('return 3 * ms');
  await expect(steps).toContainText('→ 3000000');
  await expect(editor.locator('.executed.current')).toContainText('return 3 * ms');
  await expect(editor.locator('.executed')).not.toHaveCount(1);
  await expect(editor.locator('.found').first()).toBeVisible();
  await steps.getByRole('button', { name: 'Line back' }).click();
  await expect(steps).toContainText('return best');
  await expect(editor.locator('.executed.current')).toContainText('return best');

  // What the program keeps is a value of the scheduler. The card of the program lies over a part of the tabs.
  await page.getByRole('button', { name: 'Setup', exact: true }).click();
  await lab.tab('scheduler values');
  await expect(page.getByLabel('Value of the schedulers')).toHaveValue('stride_pass');
});

test('the start page has policies as cards, and one opens with its program @nightly', async ({
  lab,
  page,
}) => {
  await lab.start();
  const shelf = page.getByRole('region', { name: 'Write one' });
  await expect(shelf.getByRole('link')).toHaveCount(3);
  await shelf.getByRole('link', { name: /round robin/ }).click();
  await lab.idle();
  await expect(page.getByLabel('Template of lane 1')).toHaveValue('roundRobin');
  await expect(page.getByLabel('Scheduler of lane 2')).toHaveValue('cfs');
  expect(await lab.digests()).toHaveLength(2);
});

test('a lane that its program stopped says where, and the others go on @nightly', async ({
  lab,
  page,
}) => {
  await withOwn(lab);
  await write(lab, STOPS);
  await expect(page.getByRole('group', { name: 'Program of lane 1' })).toContainText('It runs.');
  await lab.idle();
  const before = await lab.digests();
  await page.evaluate(() => window.__sim.seek(3e8));
  await lab.idle();
  const stopped = page.locator('[data-lane="0"] .fault');
  await expect(stopped).toContainText(/line \d+.*pick\(cpu \d\)/);
  expect((await lab.digests())[1]).not.toBe(before[1]);
  await page.keyboard.press('Escape');
  await stopped.getByRole('button', { name: /^Line \d+ of its program$/ }).click();
  await expect(page.getByRole('textbox', { name: 'Program of lane 1' })).toBeFocused();
});

test('undo brings the program before back, in the lane and in the editor @nightly', async ({
  lab,
  page,
}) => {
  await withOwn(lab);
  const editor = page.getByRole('group', { name: 'Program of lane 1' });
  await write(lab, GOOD);
  await expect(editor).toContainText('It runs.');
  await lab.idle();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(editor).toContainText('Round robin: each thread has a turn');
  await expect(page.getByLabel('Template of lane 1')).toHaveValue('roundRobin');
});

test('a file with a program opens in the editor, and is saved from it @nightly', async ({
  lab,
  page,
}) => {
  await withOwn(lab);
  const editor = page.getByRole('group', { name: 'Program of lane 1' });
  const file = {
    name: 'mine.policy.py',
    mimeType: 'text/x-python',
    buffer: Buffer.from(UNREADABLE),
  };
  await editor.locator('input[type=file]').setInputFiles(file);
  await expect(editor).toContainText('there is no `mix`');
  const saved = page.waitForEvent('download');
  await editor.getByRole('button', { name: 'Save as file' }).click();
  expect((await saved).suggestedFilename()).toMatch(/\.policy\.py$/);
});

test('without the network a lane says that own policies need it once @nightly', async ({
  lab,
  page,
  complaints,
}) => {
  await lab.open('s.bfs-smt');
  await page.route(/policies-\w+\.wasm$/, (route) => route.abort());
  await page.getByRole('button', { name: 'Setup' }).first().click();
  await page.getByLabel('Scheduler of lane 1').selectOption('own');
  await expect(page.getByRole('alert')).toContainText('they need the network once');
  // The browser's own message about the file.
  expect(complaints.every((text) => text.includes('Failed to load resource'))).toBe(true);
  complaints.length = 0;
  await page.unroute(/policies-\w+\.wasm$/);
  await page.getByLabel('Scheduler of lane 1').selectOption('ule');
  await lab.idle();
  await page.getByLabel('Scheduler of lane 1').selectOption('own');
  await expect(page.getByRole('textbox', { name: 'Program of lane 1' })).toBeVisible();
});

test('round robin is written, broken, mended, compared, shared and checked, by keyboard @nightly', async ({
  lab,
  page,
  browser,
}) => {
  await lab.open('s.bfs-smt');
  await page.getByRole('button', { name: 'Setup' }).first().focus();
  await page.keyboard.press('Enter');
  const scheduler = page.getByLabel('Scheduler of lane 1');
  await scheduler.focus();
  await scheduler.selectOption('own');
  const editor = page.getByRole('group', { name: 'Program of lane 1' });
  const box = page.getByRole('textbox', { name: 'Program of lane 1' });
  await expect(editor).toContainText('Round robin: each thread has a turn');
  await lab.idle();
  const retype = async (text: string) => {
    await box.focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
  };
  await retype(UNREADABLE);
  await expect(editor).toContainText('there is no `mix`');
  await editor.getByRole('button', { name: 'line 3, column 12' }).focus();
  await page.keyboard.press('Enter');
  await expect(box).toBeFocused();

  // Turns of 3 ms are in order, and too short for nobody; the check asks for order and length.
  await retype(GOOD);
  await expect(editor).toContainText('It runs.');
  await lab.idle();
  const compare = page.getByLabel('Compare lane 1 with');
  await compare.focus();
  await compare.selectOption('cfs');
  await lab.idle();
  await editor.getByRole('button', { name: /first difference/i }).focus();
  await page.keyboard.press('Enter');
  await expect(editor.getByRole('button', { name: /^First difference: / })).toBeVisible();
  await lab.idle();
  const digests = await lab.digests();
  await page.getByRole('button', { name: 'Share', exact: true }).focus();
  await page.keyboard.press('Enter');
  const link = page.getByLabel(/^Link, \d+ characters$/);
  await expect(link).toHaveValue(/lanes\.1\.program=/);
  expect(await inFreshProfile(browser, await link.inputValue())).toEqual(digests);
  await page.keyboard.press('Escape');

  const exercise = editor.getByLabel('Exercise', { exact: true });
  await exercise.focus();
  await exercise.selectOption('e1');
  await expect(editor).toContainText('The first check shows more cases.');
  await editor.getByRole('button', { name: 'Begin it' }).focus();
  await page.keyboard.press('Enter');
  await expect(editor).toContainText('First in, first out');
  await lab.idle();
  const check = editor.getByRole('button', { name: 'Check', exact: true });
  await check.focus();
  await page.keyboard.press('Enter');
  const verdict = editor.locator('.verdict');
  await expect(verdict).toContainText('0 of 3 cases hold.');
  await expect(editor).toContainText('wanted: hog-1 hog-2 hog-3');

  await page.getByLabel('Template of lane 1').selectOption('roundRobin');
  await expect(editor).toContainText('Round robin: each thread has a turn');
  await lab.idle();
  await check.focus();
  await page.keyboard.press('Enter');
  await expect(verdict).toContainText('Passed: all 3 cases hold.');
  await editor.getByRole('button', { name: 'See its run' }).first().focus();
  await page.keyboard.press('Enter');
  await lab.idle();
  await expect(lab.scenario()).toHaveText('Three hogs on one CPU');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('a decision is gone through line by line, by touch @nightly', async ({ lab, page }) => {
    await lab.open('s.bfs-smt');
    await page.getByRole('button', { name: 'Setup' }).first().tap();
    await page.getByLabel('Scheduler of lane 1').selectOption('own');
    await page.getByLabel('Template of lane 1').selectOption('stride');
    await lab.idle();
    await page.evaluate(() => window.__sim.seek(1e8));
    await lab.idle();
    await page.getByRole('button', { name: 'Inspect', exact: true }).tap();
    const why = page.getByRole('region', { name: 'Why?' });
    await why.getByLabel('Kind of decision').selectOption('pickNext');
    await lab.idle();
    await why.locator('ul > li > button').first().tap();
    await why.getByRole('button', { name: 'Step through its lines' }).tap();
    const steps = page.getByRole('group', { name: 'Executed lines of lane 1' });
    await steps.getByRole('button', { name: 'Next line' }).tap();
    await expect(steps).toContainText(/ 2 of \d+/);
  });

  test('a policy is written in a plain field, compared, shared and checked, by touch @nightly', async ({
    lab,
    page,
    browser,
  }) => {
    await lab.open('s.bfs-smt');
    await page.getByRole('button', { name: 'Setup' }).first().tap();
    await page.getByLabel('Scheduler of lane 1').selectOption('own');
    const editor = page.getByRole('group', { name: 'Program of lane 1' });
    const field = editor.locator('textarea');
    await field.fill(UNREADABLE);
    await expect(editor).toContainText('there is no `mix`');
    await editor.getByRole('button', { name: 'line 3, column 12' }).tap();
    await expect(field).toBeFocused();
    await field.fill(GOOD);
    await expect(editor).toContainText('It runs.');
    await lab.idle();
    await editor.getByLabel('Compare lane 1 with').selectOption('cfs');
    await lab.idle();
    await editor.getByRole('button', { name: /first difference/i }).tap();
    await expect(editor.getByRole('button', { name: /^First difference: / })).toBeVisible();
    await lab.idle();
    // As Share does it; on a phone the system's own sheet would open.
    expect(await inFreshProfile(browser, page.url())).toEqual(await lab.digests());
    await editor.getByLabel('Exercise', { exact: true }).selectOption('e1');
    await editor.getByRole('button', { name: 'Check', exact: true }).tap();
    await expect(editor.locator('.verdict')).toContainText('of 3 cases hold.');
  });
});
