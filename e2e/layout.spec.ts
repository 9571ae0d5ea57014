import { expect, test } from './fixtures';

/** Texts of the stage that leave their lane, or are clipped without a tooltip. */
const lostTexts = (): string[] => {
  const lost: string[] = [];
  for (const box of document.querySelectorAll('main .lane, main .answer')) {
    const edge = box.getBoundingClientRect().right;
    const texts = 'h2 button, .era, .line, .name, .part';
    const of = box.matches('.answer') ? 'h2, .whose, .prices' : texts;
    for (const el of box.querySelectorAll<HTMLElement>(of)) {
      if (el.getBoundingClientRect().width === 0) continue;
      const text = el.textContent.trim();
      const isCut = el.scrollWidth > el.clientWidth + 1 || el.scrollHeight > el.clientHeight + 8;
      const told = el.closest<HTMLElement>('[title]')?.title ?? '';
      if (isCut && getComputedStyle(el).display !== 'inline' && !told.includes(text))
        lost.push(`cut: ${text}`);
      if (el.getBoundingClientRect().right > edge + 1) lost.push(`over the edge: ${text}`);
    }
  }
  return lost;
};

/** Lanes, size, and whether the colours are those of the system. */
const LAYOUTS = [
  [4, 1024, 768, false],
  [4, 760, 700, false],
  [3, 1280, 800, true],
  [2, 320, 640, false],
] as const;

test('no text is clipped, with many lanes, the inspector, a narrow window or forced colours', async ({
  lab,
  page,
}) => {
  for (const [lanes, width, height, isForced] of LAYOUTS)
    await test.step(`${String(lanes)} lanes at ${String(width)} px`, async () => {
      await page.emulateMedia({ forcedColors: isForced ? 'active' : 'none' });
      await page.setViewportSize({ width, height });
      const ids = ['random', 'cfs', 'ule', '4bsd'].slice(0, lanes).join(',');
      await lab.open(`v=1&x=s2a-interactive-batch&s=${ids}`);
      if (width > 759) await page.getByRole('button', { name: 'Inspect', exact: true }).click();
      await lab.idle();
      expect(await page.evaluate(lostTexts)).toEqual([]);
      // Lanes that do not fit side by side are below, and can be scrolled to.
      const last = page.locator('.lane .bars').last();
      await last.scrollIntoViewIfNeeded();
      await expect(last).toBeInViewport({ ratio: 0.8 });
      const widths = await lab.lanes().evaluateAll((all) => all.map((lane) => lane.clientWidth));
      expect(Math.min(...widths)).toBeGreaterThan(180);
    });
});

test('at 200 and 400 % the page scrolls, and the stage has room', async ({ lab, page }) => {
  for (const [width, height] of [
    [640, 400],
    [320, 200],
  ] as const)
    await test.step(`${String(width)} × ${String(height)}`, async () => {
      await page.setViewportSize({ width, height });
      for (const fragment of ['bfs-smt&t=25', 'l1.2']) {
        await lab.open(fragment);
        const floor = page.locator('.floor');
        await floor.scrollIntoViewIfNeeded();
        expect((await floor.boundingBox())?.height).toBeGreaterThan(180);
        const play = page.locator(fragment === 'l1.2' ? '.lesson .primary' : '.transport .play');
        await play.scrollIntoViewIfNeeded();
        await expect(play).toBeInViewport({ ratio: 1 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(
          0,
        );
      }
    });
});

/** Parts of the page that cut what is in them, as they would on paper. */
const cutOnPaper = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('body, .page, .page *')].flatMap((el) => {
    const { overflowX, overflowY, display } = getComputedStyle(el);
    if (el.closest('.visually-hidden, svg') || display.startsWith('inline')) return [];
    const isCut =
      (overflowY !== 'visible' && el.scrollHeight > el.clientHeight + 1) ||
      (overflowX !== 'visible' && el.scrollWidth > el.clientWidth + 1);
    return isCut ? [`${el.tagName} ${el.className}`] : [];
  });

/** What is printed: the fragment, what must be there, and what must not. */
const PRINTS = [
  ['s.bfs-smt&t=25', '.answer, .lane, .timelines, .now', '.page > .controls, .transport .buttons'],
  ['l1.2', '.answer, .lane, .lesson .options', '.lesson footer'],
  ['r=claims', '.replications li', '.trail'],
] as const;

test('a stage, a lesson and the claims are whole on paper, and light', async ({ lab, page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
  for (const [fragment, there, hidden] of PRINTS)
    await test.step(fragment, async () => {
      await page.emulateMedia({ media: 'screen' });
      if (fragment.startsWith('r=')) {
        await page.goto(`./#${fragment}`);
        await expect(page.locator(there)).not.toHaveCount(0);
      } else await lab.open(fragment);
      expect(await theme()).toBe('dark');
      await page.emulateMedia({ media: 'print' });
      expect(await page.evaluate(cutOnPaper)).toEqual([]);
      for (const part of there.split(', ')) await expect(page.locator(part).last()).toBeVisible();
      for (const part of hidden.split(', ')) await expect(page.locator(part)).toBeHidden();
      // All of it is on the sheets, and not below the edge of one.
      const [end, height] = await page.evaluate((parts) => {
        const ends = [...document.querySelectorAll(parts)].map(
          (el) => el.getBoundingClientRect().bottom + scrollY,
        );
        return [Math.max(...ends), document.documentElement.scrollHeight] as const;
      }, there);
      expect(end).toBeLessThanOrEqual(height + 1);
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      expect(await theme()).toBe('light');
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      expect(await theme()).toBe('dark');
    });
});
