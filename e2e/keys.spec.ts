import type { Page } from '@playwright/test';
import { expect, test, type Lab } from './fixtures';

const CONTROLS =
  'button, select, summary, [role="tab"], input[type="range"], input[type="checkbox"]';

const isPlaying = async (page: Page): Promise<boolean> =>
  (await page.getByRole('button', { name: 'Pause', exact: true }).count()) > 0;

/** Opens the page with all panels. */
async function openAll(lab: Lab): Promise<void> {
  const { page } = lab;
  await lab.open('bfs-smt&t=25&thread=dhry-1');
  for (const name of ['Setup', 'Inspect']) {
    const fold = page.getByRole('button', { name, exact: true });
    if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click();
  }
  for (const fold of await page.locator('summary').all()) await fold.click();
  await lab.idle();
}

/** Names by which the controls of the page differ. */
function namesOf(page: Page): Promise<string[]> {
  return page
    .locator(CONTROLS)
    .evaluateAll((all) => [
      ...new Set(all.map((e) => `${e.tagName} ${e.getAttribute('aria-label') ?? e.textContent}`)),
    ]);
}

function controlCalled(page: Page, name: string) {
  return page.evaluateHandle(
    ([selector, wanted]) =>
      [...document.querySelectorAll(selector)].find(
        (e) => `${e.tagName} ${e.getAttribute('aria-label') ?? e.textContent}` === wanted,
      ) ?? null,
    [CONTROLS, name] as const,
  );
}

/** Whether another element covers the middle of an element. */
function isCovered(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  return top !== null && !element.contains(top) && !top.contains(element);
}

/** Presses a key that plays, and again so that time stands; returns whether both worked. */
async function playsBy(page: Page, key: string): Promise<boolean> {
  const before = await isPlaying(page);
  await page.keyboard.press(key);
  const after = await isPlaying(page);
  if (after) await page.keyboard.press('k');
  return before !== after;
}

/** Records the presses of controls that no pointer made. */
function watchPresses(): void {
  const presses: string[] = [];
  Object.assign(window, { presses });
  const note = ({ detail, target }: MouseEvent) => {
    if (detail === 0) presses.push((target as Element).outerHTML.slice(0, 80));
  };
  addEventListener('click', note, true);
}

/** After a press on each of these controls Space plays, and presses nothing; returns how many were tried. */
async function spacePlays(page: Page, names: readonly string[]): Promise<number> {
  await page.evaluate(watchPresses);
  const wrong: string[] = [];
  let tried = 0;
  for (const name of names) {
    // An earlier press may have replaced it by another control of the same name, or removed it.
    const control = (await controlCalled(page, name)).asElement();
    if (!control || !(await control.isVisible()) || !(await control.isEnabled())) continue;
    // A card covers some of them.
    await control.scrollIntoViewIfNeeded();
    if (await control.evaluate(isCovered)) continue;
    const opensDialog = (await control.getAttribute('aria-haspopup')) === 'dialog';
    await control.click();
    if (opensDialog) await expect(page.locator('dialog:modal')).toBeVisible();
    // The topmost is closed: a dialog, a list or the presentation.
    const onTop = page.locator('dialog:modal, select:open, html[data-presenting]');
    if ((await onTop.count()) > 0) await page.keyboard.press('Escape');
    await expect(onTop).toHaveCount(0);
    if (await isPlaying(page)) await page.keyboard.press('Space');
    if (!(await playsBy(page, 'Space'))) wrong.push(name);
    tried += 1;
  }
  expect(wrong).toEqual([]);
  const presses = await page.evaluate(() => (window as unknown as { presses: string[] }).presses);
  expect(presses).toEqual([]);
  return tried;
}

test(
  'Space plays after every press of the pointer, and presses nothing',
  { tag: '@nightly' },
  async ({ lab, page }) => {
    test.slow();
    await openAll(lab);
    expect(await spacePlays(page, await namesOf(page))).toBeGreaterThan(25);
  },
);

/** One control of each kind, and one that opens a dialog. */
const KINDS = [
  'button:text-is("Tables")',
  'button[aria-haspopup="dialog"]',
  'select',
  'summary',
  '[role="tab"]',
  'input[type="range"]',
];

test('keys play after a press, leave closed lists alone, and keep to the focus', async ({
  lab,
  page,
}) => {
  await openAll(lab);
  await test.step('Space plays after a press on a control of each kind', async () => {
    const names = await Promise.all(
      KINDS.map((kind) =>
        page
          .locator(kind)
          .filter({ visible: true })
          .first()
          .evaluate((e) => `${e.tagName} ${e.getAttribute('aria-label') ?? e.textContent}`),
      ),
    );
    expect(await spacePlays(page, names)).toBeGreaterThan(4);
    await lab.idle();
  });

  await test.step('a button that was reached by keyboard keeps Space', async () => {
    const tables = page.getByRole('button', { name: 'Tables' });
    const before = await tables.getAttribute('aria-pressed');
    await page.keyboard.press('Tab');
    await tables.focus();
    await page.keyboard.press('Space');
    await expect(tables).not.toHaveAttribute('aria-pressed', before ?? '');
    expect(await isPlaying(page)).toBe(false);
  });

  await test.step('no key chooses in a closed list; Enter chooses in an open one', async () => {
    const digests = await lab.digests();
    for (const list of await page.locator('select:visible:enabled').all()) {
      const before = await list.inputValue();
      for (const key of ['ArrowDown', 'ArrowUp', 'End', 'c']) {
        await list.press(key);
        await page.keyboard.press('Escape');
        expect(await list.inputValue(), key).toBe(before);
      }
    }
    await lab.idle();
    expect(await lab.digests()).toEqual(digests);

    const steps = page.getByLabel('Step by');
    const isOpen = () => steps.evaluate((list) => list.matches(':open'));
    await steps.press('ArrowDown');
    expect(await isOpen()).toBe(true);
    await page.keyboard.press('ArrowDown');
    await expect(steps).toHaveValue('migration');
    await page.keyboard.press('Enter');
    await expect(steps).toHaveValue('preemption');
    expect(await isOpen()).toBe(false);
  });
});

test('K plays at every stop of Tab but text fields', { tag: '@nightly' }, async ({ lab, page }) => {
  test.slow();
  await openAll(lab);
  const wrong: string[] = [];
  let stops = 0;
  for (; stops < 200; stops += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const e = document.activeElement;
      if (!e || e === document.body) return null;
      const isText = e.matches('input:not([type="range"], [type="checkbox"]), textarea');
      return { isText, name: e.outerHTML.slice(0, 100) };
    });
    if (!stop) break;
    if (!stop.isText && !(await playsBy(page, 'k'))) wrong.push(stop.name);
  }
  expect(wrong).toEqual([]);
  expect(stops).toBeGreaterThan(40);
});

test('letters open panels, go from moment to moment and ask why, until they are switched off', async ({
  lab,
  page,
}) => {
  // One lane: a search steps all lanes from switch to switch.
  await lab.open('v=1&x=bfs-smt&s=bfs&t=25');
  await test.step('S and I open and close panels, J goes from moment to moment', async () => {
    for (const [key, name] of [
      ['s', 'Setup'],
      ['i', 'Inspect'],
    ] as const) {
      const fold = page.getByRole('button', { name, exact: true });
      const before = await fold.getAttribute('aria-expanded');
      await page.keyboard.press(key);
      await expect(fold).not.toHaveAttribute('aria-expanded', before ?? '');
    }
    const at = await lab.now();
    await page.keyboard.press('j');
    await lab.idle();
    const next = await lab.now();
    expect(next).toBeGreaterThan(at);
    await page.keyboard.press('j');
    await lab.idle();
    expect(await lab.now()).toBeGreaterThan(next);
    await page.keyboard.press('Shift+J');
    await lab.idle();
    expect(await lab.now()).toBe(next);
  });

  await test.step('W asks why about the step, and again marks the candidates', async () => {
    await page.getByLabel('Step by').selectOption('switch');
    await page.keyboard.press('.');
    await lab.idle();
    await page.getByLabel('Step by').selectOption('migration');
    await page.keyboard.press('j');
    await lab.idle();
    await page.keyboard.press('w');
    const why = page.getByRole('region', { name: 'Why?' });
    const rows = why.locator('.apart tbody tr');
    await expect(rows.first()).toBeVisible();
    await expect(why.locator('[aria-current]')).toHaveCount(0);
    await page.keyboard.press('w');
    await expect(rows.first()).toHaveAttribute('aria-current', 'true');
    await page.keyboard.press('w');
    await expect(why.locator('[aria-current]')).toHaveCount(1);
  });

  await test.step('the list of keys finds a key, and letters can be switched off for good', async () => {
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keys' });
    const field = sheet.getByRole('searchbox', { name: 'Find a key' });
    await expect(field).toBeFocused();
    await field.fill('daemons');
    await expect(sheet.getByRole('term')).toHaveText(['Shift D']);
    await field.fill('no such thing');
    await expect(sheet).toContainText('No key has these words.');
    await sheet.getByLabel('Single letters, digits and signs are keys').uncheck();
    await page.keyboard.press('Escape');
    for (let visit = 0; visit < 2; visit += 1) {
      await page.keyboard.press('k');
      expect(await isPlaying(page)).toBe(false);
      await page.keyboard.press('Space');
      expect(await isPlaying(page)).toBe(true);
      await page.keyboard.press('Space');
      await lab.open();
    }
  });
});
