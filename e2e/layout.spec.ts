import { expect, idle, test } from './fixtures';

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

/** Pairs of visible texts of different elements that are printed over each other. */
const printedOver = (): string[] => {
  const boxes: { el: Element; text: string; box: DOMRect; right: number }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const el = node.parentElement;
    const text = node.textContent?.trim() ?? '';
    if (!el || text === '' || el.closest('.visually-hidden, svg, select, style, script')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    // A text with an ellipsis ends with the element that cuts it.
    let edge = Infinity;
    for (let cut: Element | null = el; cut; cut = cut.parentElement)
      if (getComputedStyle(cut).overflowX !== 'visible')
        edge = Math.min(edge, cut.getBoundingClientRect().right);
    for (const box of range.getClientRects()) {
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      // What is cut away or covered is not printed.
      if (top && (top === el || el.contains(top)))
        boxes.push({ el, text, box, right: Math.min(box.right, edge) });
    }
  }
  return boxes.flatMap((a, i) =>
    boxes.slice(i + 1).flatMap((b) => {
      const width = Math.min(a.right, b.right) - Math.max(a.box.left, b.box.left);
      const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      // The boxes of letters are higher than the letters, of large ones much.
      const least = Math.min(a.box.height, b.box.height);
      const isOver = a.el !== b.el && width > 2 && height > 0.55 * least;
      return isOver ? [`${a.text.slice(0, 30)} | ${b.text.slice(0, 30)}`] : [];
    }),
  );
};

/** Language, and whether the colours are those of the system. */
const READERS = [
  ['en', 'none'],
  ['en', 'active'],
  ['de', 'none'],
] as const;

test('at 400 % no text is printed over another, in English, German and forced colours', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 256 });
  for (const [language, forcedColors] of READERS)
    for (const fragment of ['', 's.bfs-smt&t=75', 's.s3-nice', 'l1.2', 'r=s3'])
      await test.step(`${language}, ${forcedColors}: ${fragment}`, async () => {
        await page.emulateMedia({ forcedColors, reducedMotion: 'reduce' });
        await page.goto('about:blank');
        await page.goto(`./?lang=${language}#${fragment}`);
        await expect(page.locator('main').first()).toBeVisible();
        if (/^[sl]/.test(fragment)) await idle(page);
        const found = new Set<string>();
        for (let y = 0; y < 3000; y += 200) {
          await page.evaluate((top) => {
            for (const el of [document.documentElement, ...document.querySelectorAll('main')])
              el.scrollTop = top;
          }, y);
          for (const pair of await page.evaluate(printedOver)) found.add(pair);
        }
        expect([...found]).toEqual([]);
      });
});
