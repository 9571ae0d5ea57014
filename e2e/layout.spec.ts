import type { Page } from '@playwright/test';
import { expect, idle, test } from './fixtures';

/** Texts of the stage that leave their lane, or are clipped without a tooltip. */
const lostTexts = (): string[] => {
  const lost: string[] = [];
  for (const box of document.querySelectorAll('main .lane, main .answer')) {
    const edge = box.getBoundingClientRect().right;
    const texts = 'h2 button, .era, .line, .name, .part';
    const of = box.matches('.answer') ? 'h2, .whose, .prices' : texts;
    for (const el of box.querySelectorAll<HTMLElement>(of)) {
      if (el.closest('.visually-hidden') || el.getBoundingClientRect().width === 0) continue;
      const text = el.textContent.trim();
      const isCut = el.scrollWidth > el.clientWidth + 1 || el.scrollHeight > el.clientHeight + 8;
      const told = el.closest<HTMLElement>('[title]')?.title ?? '';
      // The line above a machine is the stage's caption: nobody in a hall has its tooltip.
      const isTold = told.includes(text) && !el.matches('.line');
      if (isCut && getComputedStyle(el).display !== 'inline' && !isTold) lost.push(`cut: ${text}`);
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

test('on a phone few bars leave their room to the machine', async ({ lab, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await lab.open('s.s3-nice');
  await page.evaluate(() => window.__sim.seek(5e9));
  await lab.idle();
  const tops = await page
    .locator('.shares .row')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().bottom));
  expect(tops).toHaveLength(2);
  const tabs = await page.getByRole('tablist').first().boundingBox();
  expect((tabs?.y ?? 1e3) - Math.max(...tops)).toBeLessThan(80);
});

test('at 1024 × 768 the transport is whole, also with the choice of a thread', async ({
  lab,
  page,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await lab.open('v=2&x=bfs-smt&s=bfs,cfs&t=33');
  await page.keyboard.press('j');
  await lab.idle();
  await page.keyboard.press('w');
  await lab.idle();
  await expect(page.getByRole('combobox', { name: 'Step through events of' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'max', exact: true })).toBeInViewport({ ratio: 1 });
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

/** Pairs of visible texts whose letters are printed over each other, texts that are cut off, and words in pieces. */
const unreadable = (): string[] => {
  const boxes: { el: Element; text: string; box: DOMRect }[] = [];
  const lost: string[] = [];
  const pen = document.createElement('canvas').getContext('2d');
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const el = node.parentElement;
    const text = node.textContent?.trim() ?? '';
    if (!pen || !el || text === '') continue;
    if (el.closest('.visually-hidden, svg, select, style, script')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    // A text ends with the element that cuts it.
    let edge = Infinity;
    let isHidden = false;
    for (let cut: Element | null = el; cut; cut = cut.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(cut);
      const { right } = cut.getBoundingClientRect();
      if (overflowX === 'visible' || right >= edge) continue;
      edge = right;
      isHidden = overflowX === 'hidden' && textOverflow !== 'ellipsis';
    }
    // The box of a line is higher than its letters, that of large ones by much.
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(el);
    pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    const inked = pen.measureText(text);
    const above = inked.fontBoundingBoxAscent - inked.actualBoundingBoxAscent;
    const height = inked.actualBoundingBoxAscent + inked.actualBoundingBoxDescent;
    const rects = [...range.getClientRects()];
    const isInPieces =
      new Set(rects.map(({ y }) => Math.round(y))).size > text.split(/[\s/·–-]+/).length;
    for (const { x, y, width, height: line } of rects) {
      const top = document.elementFromPoint(x + width / 2, y + line / 2);
      // What is cut away or covered is not printed.
      if (!top || (top !== el && !el.contains(top))) continue;
      if (isHidden && x + width > edge + 2) lost.push(`cut off: ${text}`);
      if (isInPieces) lost.push(`in pieces: ${text}`);
      boxes.push({ el, text, box: new DOMRect(x, y + above, Math.min(width, edge - x), height) });
    }
  }
  const over = boxes.flatMap((a, i) =>
    boxes.slice(i + 1).flatMap((b) => {
      const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      const isOver = a.el !== b.el && width > 2 && height > 2;
      return isOver ? [`${a.text.slice(0, 30)} | ${b.text.slice(0, 30)}`] : [];
    }),
  );
  return [...lost, ...over];
};

/** Looks at the whole page, from its top to its end: no text lies over another, none is cut. */
async function isClear(page: Page, state: string): Promise<void> {
  const found = new Set<string>();
  for (let y = 0, isMore = true; isMore; y += 200) {
    isMore = await page.evaluate((top) => {
      const parts = [document.documentElement, ...document.querySelectorAll('main')];
      for (const el of parts) el.scrollTop = top;
      return parts.some((el) => el.scrollTop >= top && top + el.clientHeight < el.scrollHeight);
    }, y);
    for (const pair of await page.evaluate(unreadable)) found.add(pair);
  }
  for (const text of await page.evaluate(lostTexts)) found.add(text);
  expect.soft([...found], state).toEqual([]);
}

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
        await isClear(page, `${language}, ${forcedColors}: ${fragment}`);
      });
});

/** A phone, a projector, a small laptop and a large screen, and the language there. */
const SCREENS = [
  [390, 844, 'en'],
  [390, 844, 'de'],
  [1024, 768, 'de'],
  [1280, 800, 'de'],
  [1920, 1080, 'en'],
] as const;

/** Leads one run through the states in which somebody reads it. */
async function reads(page: Page, screen: string): Promise<void> {
  await page.keyboard.press('k');
  for (const ns of [40e6, 60e6]) {
    await page.waitForFunction((least) => window.__sim.nowNs() > least, ns);
    await isClear(page, `${screen}: playing`);
  }
  await page.keyboard.press('k');
  await idle(page);
  for (const [key, state] of [
    ['w', 'why'],
    ['i', 'without details'],
    ['i', 'details'],
    ['p', 'why, presented'],
    ['w', 'presented'],
  ] as const) {
    await page.keyboard.press(key);
    await idle(page);
    await isClear(page, `${screen}: ${state}`);
  }
}

for (const [width, height, language] of SCREENS) {
  const screen = `${String(width)} × ${String(height)}, ${language}`;
  test(`no text is cut or printed over another at ${screen}`, async ({ lab, page }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const changed = 'v=2&x=bfs-smt&groups.dhry.count=6@30ms&t=75';
    for (const fragment of [
      's.bfs-smt&t=25',
      'v=1&x=bfs-smt&s=random,cfs,bfs&t=75',
      'l1.2',
      changed,
    ]) {
      await page.goto('about:blank');
      await page.goto(`./?lang=${language}#${fragment}`);
      await lab.idle();
      await isClear(page, `${screen}: ${fragment}`);
      if (fragment.startsWith('s.')) await reads(page, screen);
      if (fragment !== changed) continue;
      // The words about a change are long, and stand beside three large numbers.
      await page.keyboard.press('p');
      await lab.idle();
      await isClear(page, `${screen}: changed, presented`);
    }
  });
}

/** A phone, a projector and a large screen, and the page at 400 %. */
const ALL_SIZES = [
  [320, 256, []],
  [390, 844, ['@nightly']],
  [1024, 768, []],
  [1920, 1080, ['@nightly']],
] as const;

/** What a class or a learner reads: the fragment, the keys that lead there, and its name. */
const STATES: readonly (readonly [string, readonly string[], string])[] = [
  ['s.bfs-smt', ['j'], 'an announcement'],
  ['s.bfs-smt', ['p', 'j', 'w'], 'the answer to W, presented'],
  ['v=1&x=bfs-smt&s=bfs,cfs&t=75', [], 'two lanes'],
  ['v=1&x=bfs-smt&s=bfs,cfs&t=75', ['p', 'w'], 'the answer to W over two lanes, presented'],
  ['l1.3', [], 'the second question of a lesson'],
  ['l1.2', ['p'], 'a question before a class'],
  ['l1.6&a=2.2~3.2_3_4_1~5.2', [], 'the explanation of a lesson'],
  ['l1.7&a=2.2~3.2_3_4_1~5.2', ['p'], 'the second explanation, before a class'],
];

for (const [width, height, tag] of ALL_SIZES)
  for (const [language, forcedColors] of READERS) {
    const reader = `${language}${forcedColors === 'active' ? ', forced colours' : ''}`;
    const screen = `${String(width)} × ${String(height)}, ${reader}`;
    test(
      `no text lies over another in a lecture, a lesson and an announcement at ${screen}`,
      { tag: [...tag] },
      async ({ lab, page }) => {
        test.slow();
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ forcedColors, reducedMotion: 'reduce' });
        for (const [fragment, keys, state] of STATES) {
          await page.goto('about:blank');
          await page.goto(`./?lang=${language}#${fragment}`);
          await lab.idle();
          for (const key of keys) {
            await page.keyboard.press(key);
            await lab.idle();
          }
          await isClear(page, `${screen}: ${state}`);
        }
      },
    );
  }
