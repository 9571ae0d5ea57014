import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  return found.map(
    (v) =>
      `${v.id}: ${v.nodes.map((n) => `${n.target.join(' ')} ${n.failureSummary ?? ''}`).join(' | ')}`,
  );
}

test('axe finds nothing at the start', async ({ lab, page }) => {
  await lab.open();
  expect(await violations(page)).toEqual([]);
});

test('axe finds nothing in the dark', async ({ lab, page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await lab.open();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await violations(page)).toEqual([]);
});

test('axe finds nothing while playing', async ({ lab, page }) => {
  await lab.open();
  await page.getByRole('button', { name: 'Play' }).click();
  expect(await violations(page)).toEqual([]);
});

test('axe finds nothing with everything open', async ({ lab, page }) => {
  await lab.open();
  await page.getByRole('button', { name: 'Tables' }).click();
  await lab.panel('Setup');
  for (const name of ['Groups and behaviour', 'Background and seed'])
    await page.getByText(name).click();
  await page.getByRole('application', { name: 'Machine of BFS' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await lab.idle();
  expect(await violations(page)).toEqual([]);
});

test('axe finds nothing where machines are picked and made', async ({ lab, page }) => {
  await lab.open('v=1&x=bfs-smt&m=k8x4');
  await lab.panel('Setup');
  await page.getByRole('button', { name: /^Machine: / }).click();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Make it mine…' }).click();
  await lab.type('Contexts per core (SMT)', '0');
  for (const name of ['Distances between', 'Direct costs', 'Clock, cores', 'Clusters, kind'])
    await page.getByText(name).first().click();
  expect(await violations(page)).toEqual([]);
});

test('everything can be done with the keyboard', async ({ lab, page }) => {
  await lab.open();
  // Into the first machine, to a thread, select it.
  const machine = page.getByRole('application', { name: 'Machine of BFS' });
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    if (await machine.evaluate((el) => el === document.activeElement)) break;
  }
  await expect(machine).toBeFocused();
  await page.keyboard.press('Home');
  let tries = 0;
  while (
    (await page.getByRole('region', { name: 'Selected thread' }).count()) === 0 &&
    tries++ < 12
  ) {
    await page.keyboard.press('Enter');
    await lab.idle();
    if ((await page.getByRole('region', { name: 'Selected thread' }).count()) === 0)
      await page.keyboard.press('ArrowRight');
    if (tries % 3 === 0) await page.keyboard.press('ArrowDown');
  }
  await expect(page.getByRole('region', { name: 'Selected thread' })).toBeVisible();
  // Time.
  const before = await lab.now();
  await page.keyboard.press('.');
  await lab.idle();
  expect(await lab.now()).toBeGreaterThan(before);
  await page.keyboard.press(' ');
  await expect.poll(() => lab.now()).toBeGreaterThan(before + 10_000_000);
  await page.keyboard.press(' ');
  await lab.idle();
  // Help opens and closes.
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  // One tab stop per machine: the next Tab leaves it.
  await machine.focus();
  await page.keyboard.press('Tab');
  await expect(machine).not.toBeFocused();
});

test('asking why names the rule, the operands and the function of the kernel', async ({
  lab,
  page,
}) => {
  await lab.open();
  await page.getByRole('button', { name: 'Inspect', exact: true }).click();
  const why = page.getByRole('region', { name: 'Why?' });
  const first = why.getByRole('button').first();
  await first.click();
  await lab.idle();
  await expect(why.locator('article')).toHaveCount(1);
  await expect(why.locator('article code')).toContainText('@');
});

test('what happens is told while time runs, at most once in two seconds', async ({ lab, page }) => {
  await lab.open();
  await page.evaluate(() => {
    const region = document.querySelector('[role="status"][aria-live="polite"]');
    if (!region) throw new Error('nothing is told');
    const told: [number, string][] = [];
    Object.assign(window, { told });
    new MutationObserver(() => {
      told.push([performance.now(), region.textContent]);
    }).observe(region, { childList: true, characterData: true, subtree: true });
  });
  await page.keyboard.press('Space');
  const told = () => page.evaluate(() => (window as unknown as { told: [number, string][] }).told);
  await expect
    .poll(async () => (await told()).filter(([, text]) => /BFS: \d+ move/.test(text)).length, {
      timeout: 30_000,
    })
    .toBeGreaterThan(1);
  await page.keyboard.press('Space');
  const times = (await told()).map(([ms]) => ms);
  for (const [i, ms] of times.slice(1).entries())
    expect(ms - (times[i] ?? 0)).toBeGreaterThan(1990);
});

test('the table says what the picture shows', async ({ lab, page }) => {
  await lab.open();
  const table = page.getByRole('table', { name: 'Threads of BFS' });
  await expect(table.getByRole('row')).toHaveCount(5);
  await expect(table.getByRole('row').nth(1)).toContainText(/runs on cpu \d|waits/);
});
