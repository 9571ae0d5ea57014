/** Lessons: predict, run, explain; by keyboard, with the guess visible from the first to the last step. */
import { violations, WCAG } from './axe';
import { expect, type Lab, test } from './fixtures';

const column = (lab: Lab) => lab.page.getByRole('complementary', { name: /^Lesson \d+:/ });
const COLUMN = 'aside.lesson';
const heading = (lab: Lab) => column(lab).getByRole('heading', { level: 3 });
const large = (lab: Lab) => column(lab).locator('footer .primary');
const play = (lab: Lab) => lab.page.getByRole('button', { name: 'Play', exact: true });
const hash = (lab: Lab) => new URL(lab.page.url()).hash;
const truth = (lab: Lab) => lab.page.locator('[data-answer="p1"] .number');
const guess = (lab: Lab) => lab.page.locator('[data-guess="p1"] .number');
const difference = (lab: Lab) => lab.page.locator('[data-difference="p1"] .number');

/** Answers the question of a step by keyboard, if it has one. */
async function answer(lab: Lab): Promise<void> {
  const { page } = lab;
  const options = column(lab).getByRole('radio');
  const sliders = column(lab).getByRole('slider');
  if ((await options.count()) > 0) await page.keyboard.press('b');
  else if ((await column(lab).locator('.order').count()) > 0) {
    await column(lab).locator('.order .item').first().focus();
    await page.keyboard.press('ArrowDown');
  } else if ((await sliders.count()) > 0) {
    await sliders.first().focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
  } else if ((await column(lab).getByRole('textbox').count()) > 0) {
    await column(lab).getByRole('textbox').first().focus();
    await page.keyboard.type('two share, one is idle');
  }
}

/** Walks from step to step by the large button, up to the end; returns the headings on the way. */
async function walk(lab: Lab, at: () => Promise<void>): Promise<readonly string[]> {
  const headings: string[] = [];
  for (let presses = 0; presses < 40; presses += 1) {
    const here = await heading(lab).innerText();
    if (headings.at(-1) !== here) {
      headings.push(here);
      await at();
      if (/Predict|Observe/.test(here)) await answer(lab);
    }
    if (here.endsWith('Your answers')) return headings;
    await large(lab).focus();
    await lab.page.keyboard.press('Enter');
    await lab.idle();
  }
  return headings;
}

test.beforeEach(async ({ page }) => {
  // Runs then jump to their stops.
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

test('lesson 1 is three keys away, and Play waits for the guess; before it nothing shows the result', async ({
  lab,
  page,
}) => {
  for (const keys of [['Enter'], ['ArrowRight', 'ArrowLeft', 'Enter']]) {
    await lab.start();
    const card = page.locator('.card[href="#l1.1"]');
    await expect(card).toBeFocused();
    expect(await card.innerText()).not.toMatch(/15\.7|11\.4/);
    for (const key of keys) await page.keyboard.press(key);
    await expect(heading(lab)).toHaveText('1 · Situation');
    await lab.idle();
    expect(hash(lab)).toBe('#l1.1');
  }
  await page.keyboard.press('Enter');
  await expect(heading(lab)).toHaveText('2 · Predict');
  await expect(play(lab)).toBeDisabled();
  await expect(large(lab)).toBeDisabled();
  const told = await page.evaluate(() => document.documentElement.outerHTML);
  expect(told).not.toMatch(/15\.7|15,7/);
  await expect(truth(lab)).toHaveText('–');
  await page.keyboard.press(' ');
  await page.keyboard.press('k');
  await page.keyboard.press('.');
  await page.keyboard.press('j');
  await lab.idle();
  expect(await lab.now()).toBe(0);
  for (const letter of ['a', 'b', 'c', 'd']) {
    await page.keyboard.press(letter);
    await expect(column(lab).getByRole('radio', { checked: true })).toHaveAttribute(
      'aria-keyshortcuts',
      letter.toUpperCase(),
    );
  }
  await expect(play(lab)).toBeDisabled();
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  await expect(heading(lab)).toHaveText('3 · Predict');
});

/** Whether something in the column hurts a rule of axe; with the stage at the first and the last step. */
async function looksAt(lab: Lab): Promise<void> {
  await expect(column(lab).getByRole('alert')).toHaveCount(0);
  const here = await heading(lab).innerText();
  // The stage beside the lesson changes little from step to step.
  const whole = here.startsWith('1 ·') || here.endsWith('Your answers');
  expect(
    await violations(lab.page, whole ? { tags: WCAG } : { tags: WCAG, part: COLUMN }),
    here,
  ).toEqual([]);
}

/** The guess of 11.3 s is beside the answer, and its line is at its place on the axis. */
async function guessStays(lab: Lab): Promise<void> {
  const here = await heading(lab).innerText();
  // A second question and that of Observe have their own answers; the line of the first stays.
  if (!/(Predict|Observe)$/.test(here)) await expect(guess(lab)).toHaveText(/^11\.3\s*s$/);
  await lab.idle();
  const distance = await lab.page.evaluate(() => {
    const line = document.querySelector('[data-guess-line="p1"]')?.getBoundingClientRect();
    const canvas = document.querySelector('[data-view="Timeline"]')?.getBoundingClientRect();
    const [fromNs, toNs] = window.__sim.seen();
    if (!line || !canvas) return Infinity;
    const labels = 34;
    const part = (11.3e9 - fromNs) / (toNs - fromNs);
    return Math.abs(line.left + 1 - (canvas.left + labels + part * (canvas.width - labels)));
  });
  expect(distance, here).toBeLessThanOrEqual(1);
}

test('lesson 1 is played by keyboard alone, forth and back; the guess stays, and axe finds nothing', async ({
  lab,
  page,
}) => {
  test.setTimeout(400_000);
  await lab.open('l1.1');
  let explained = '';
  const headings = await walk(lab, async () => {
    await expect(column(lab).locator('[aria-current="step"]')).toHaveCount(1);
    await looksAt(lab);
    const here = await heading(lab).innerText();
    if (explained !== '' || /^[12] ·/.test(here)) return;
    await guessStays(lab);
    if (!here.endsWith('Explain')) return;
    explained = here;
    const number = Number.parseFloat(await truth(lab).innerText());
    expect(number).toBeGreaterThan(15);
    const by = Number.parseFloat((await difference(lab).innerText()).replace('+', ''));
    expect(by).toBeCloseTo(number - 11.3, 1);
    // The last exits of all lanes stand beside their names.
    const lanes = page.getByRole('list', { name: 'Lanes' });
    await expect(lanes.getByRole('button', { name: /^4BSD/ })).toContainText('11.4');
    await expect(lanes.getByRole('button', { name: /^ULE/ })).toContainText('15.7');
  });
  expect(headings[0]).toBe('1 · Situation');
  expect(headings.at(-1)).toMatch(/ · Your answers$/);
  await expect(column(lab).getByText('about 11.3 s').first()).toBeVisible();
  for (let i = headings.length - 1; i > 0; i -= 1) {
    await page.keyboard.press('PageUp');
    const before = headings[i - 1] ?? '';
    await expect(heading(lab)).toHaveText(before);
    if (before !== explained) continue;
    await guessStays(lab);
    await page.reload();
    await lab.idle();
    await expect(heading(lab)).toHaveText(explained);
    await guessStays(lab);
    for (const colours of ['projector', 'dark']) {
      await page.getByRole('combobox', { name: 'Colours' }).selectOption(colours);
      await guessStays(lab);
    }
    // In the list of colours the keys of the lesson choose colours.
    await heading(lab).click();
  }
  expect(explained).not.toBe('');
  await page.keyboard.press('PageDown');
  await expect(heading(lab)).toHaveText(headings[1] ?? '');
  await lab.idle();
});

test('after the run the line names the question before it; whoever changes the lanes has left the lesson', async ({
  lab,
  page,
}) => {
  await lab.open('l1.5&teach=p');
  const line = page.getByRole('region', { name: 'Question and answer' });
  await expect(line.getByRole('heading')).toContainText('How many jobs wait behind another CPU?');
  await expect(line.getByText('your guess')).toHaveCount(0);
  await page.keyboard.press('b');
  await expect(line.getByText('your answer')).toBeVisible();

  await lab.panel('Setup');
  await page
    .getByRole('button', { name: /^Remove / })
    .first()
    .click();
  await lab.idle();
  const left = column(lab).getByRole('group', { name: 'You have left the lesson' });
  await expect(left).toBeVisible();
  await left.getByRole('button', { name: 'Go back' }).click();
  await lab.idle();
  await expect(left).toBeHidden();
});

test('a link to an explanation opens at its moment', async ({ lab, page }) => {
  await lab.open('l1.6&a=2.2~3.2_3_4_1~5.2');
  await expect.poll(() => lab.now()).toBe(10_063_657_487);
  await expect(page.getByText('cpu 7 may not take a thread').first()).toBeVisible();
});

test('the answer of a lesson is the largest text at every width', async ({ lab, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await lab.open('l1.2');
  await page.keyboard.press('b');
  // Before there is an answer, a phone shows the question and who runs.
  await expect(page.locator('.answer')).toBeHidden();
  await expect(page.locator('[data-lesson-heading]').first()).toBeInViewport();
  for (const job of await page.locator('[data-beginners] button').all())
    await expect(job).toBeInViewport({ ratio: 1 });
  await large(lab).click();
  for (const [width, height] of [
    [1024, 768],
    [1280, 800],
  ] as const)
    await test.step(`${String(width)} px`, async () => {
      await page.setViewportSize({ width, height });
      await lab.idle();
      const sizes = await page.evaluate(() => {
        let [own, other] = [0, 0];
        for (const element of document.querySelectorAll<HTMLElement>('body *')) {
          const text = [...element.childNodes]
            .filter((node) => node.nodeType === Node.TEXT_NODE)
            .map((node) => node.textContent?.trim() ?? '')
            .join('');
          if (text === '' || element.closest('.visually-hidden') || !element.checkVisibility())
            continue;
          const px = Number.parseFloat(getComputedStyle(element).fontSize);
          if (element.closest('.truth')) own = Math.max(own, px);
          else if (!element.closest('.guess, .difference, .second')) other = Math.max(other, px);
        }
        return { own, other };
      });
      expect(sizes.own, JSON.stringify(sizes)).toBeGreaterThanOrEqual(2 * sizes.other - 1);
      await expect(page.locator('.answer h2')).toBeInViewport();
      await expect(truth(lab).or(page.locator('[data-answer] .number')).first()).toBeInViewport();
    });
});

test('answers leave the page as text, table, link and paper, only when asked', async ({
  lab,
  page,
}) => {
  test.slow();
  await lab.open('l1.11&a=2.2~3.2_3_4_1');
  await expect(heading(lab)).toHaveText(/Your answers$/);
  await expect(column(lab).getByLabel('Your answers as text')).toHaveValue(
    /my answer: about 11\.3 s/,
  );
  await expect(column(lab).getByLabel('Link with your answers')).toHaveValue(
    /#l1\.11&a=2\.2~3\.2_3_4_1$/,
  );
  const download = page.waitForEvent('download');
  await column(lab).getByRole('button', { name: 'Save as a table' }).click();
  const file = await (await download).createReadStream();
  let text = '';
  for await (const part of file) text += String(part);
  const rows = text.trim().split('\r\n');
  expect(rows[0]).toBe(
    'lesson,version,step,question,answer,truth,right,seconds,digest,seed,changes',
  );
  expect(rows[1]).toMatch(
    /^l01-one-too-many,1,2,\w+,2,3,false,0,[0-9a-f]{16}(-[0-9a-f]{16}){3},1,/,
  );

  await page.evaluate(() => {
    // The system's print dialog would wait for ever.
    Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
      get(this: HTMLIFrameElement) {
        const window = this.contentDocument?.defaultView ?? null;
        if (window) window.print = () => undefined;
        return window;
      },
    });
  });
  await column(lab).getByRole('button', { name: 'Print the worksheet' }).click();
  const sheet = page.frameLocator('iframe.worksheet');
  await expect(sheet.getByText('One job too many').first()).toBeAttached();
  await expect(sheet.locator('svg').first()).toBeAttached();
  expect(
    await sheet.locator('body').evaluate((body) => body.ownerDocument.adoptedStyleSheets.length),
  ).toBe(1);

  const html = await sheet.locator('html').evaluate((root) => {
    const rules = [...(root.ownerDocument.adoptedStyleSheets[0]?.cssRules ?? [])];
    return `<style>${rules.map((r) => r.cssText).join('')}</style>${root.outerHTML}`;
  });
  const paper = await page.context().newPage();
  await paper.setContent(html);
  const pdf = (await paper.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
});

/** The last lesson without own policies, which need a larger package than most builds have. */
const LAST = 13;

for (let number = 2; number <= LAST; number += 1)
  test(
    `lesson ${String(number)} is played by keyboard, and axe finds nothing at any step`,
    { tag: '@nightly' },
    async ({ lab, page }) => {
      test.setTimeout(400_000);
      await page.emulateMedia({
        colorScheme: number % 2 === 0 ? 'dark' : 'light',
        reducedMotion: 'reduce',
      });
      await lab.open(`l${String(number)}.1`);
      const headings = await walk(lab, () => looksAt(lab));
      expect(headings.at(-1)).toMatch(/Your answers$/);
    },
  );

/** Neither the page is wider than a phone or the narrowest window, nor is the title cut. */
async function fitsPhones(lab: Lab, what: string): Promise<void> {
  const { page } = lab;
  const title = page.locator('button.scenario .name');
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    const wide = () => page.evaluate(() => document.scrollingElement?.scrollWidth);
    await expect.poll(wide).toBe(width);
    const isCut = await title.evaluate(
      (it) => it.scrollWidth > it.clientWidth || it.scrollHeight > it.clientHeight,
    );
    expect(isCut, `${what} at ${String(width)}`).toBe(false);
  }
}

/** Answers the open question of a step as a finger does; a question that is answered stays as it is. */
async function answerByTouch(lab: Lab): Promise<void> {
  const option = column(lab).getByRole('radio').nth(1);
  if ((await option.count()) > 0 && (await option.isEnabled())) {
    await option.tap();
    // The timelines are out of sight, so the guess has an axis of its own.
    const drawn = column(lab).locator('[data-time-guess] em');
    if ((await drawn.count()) > 0) await expect(drawn).toHaveText(/^you: \d+\.\d\ss$/);
  } else if (await large(lab).isDisabled()) {
    const order = column(lab).locator('.order .quiet');
    if ((await order.count()) > 0) await order.nth(1).tap();
    // The middle of a slider, where its handle stands before a guess, is a guess like any other.
    else await column(lab).locator('figure svg, input[type="range"]').first().tap();
  }
  await expect(large(lab)).toBeEnabled();
}

/** The shapes of questions: options and an order, and numbers. A line to draw has a test of its own. */
const inShort = new Set([1, 2]);

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  // What lesson 5 simulates takes a minute, which the short set does not wait for.
  test('a line is drawn by touch before the run of lesson 5', async ({ lab, page }) => {
    await lab.open('l5.1');
    for (const step of ['2 · Predict', '3 · Predict', '4 · Run']) {
      await large(lab).tap();
      await expect(heading(lab)).toHaveText(step);
      if (step.endsWith('Predict')) await answerByTouch(lab);
    }
    await expect(large(lab)).toBeInViewport();
    expect(await violations(page, { tags: WCAG })).toEqual([]);
  });

  for (let number = 1; number <= LAST; number += 1)
    test(
      `lesson ${String(number)} is played by touch alone`,
      { tag: inShort.has(number) ? [] : '@nightly' },
      async ({ lab, page }) => {
        test.slow();
        await lab.open(`l${String(number)}.1`);
        await fitsPhones(lab, `lesson ${String(number)}`);
        await page.setViewportSize({ width: 390, height: 844 });
        for (let taps = 0; taps < 40; taps += 1) {
          const here = await heading(lab).innerText();
          if (here.endsWith('Your answers')) break;
          if (/Predict|Observe/.test(here)) await answerByTouch(lab);
          await large(lab).tap();
          await lab.idle();
          const [width = 0, height = 0] = await page.evaluate(() => {
            const { scrollWidth, scrollHeight } = document.documentElement;
            return [scrollWidth, scrollHeight];
          });
          expect(width, here).toBeLessThanOrEqual(390);
          expect(height, here).toBeLessThanOrEqual(844);
        }
        await expect(heading(lab)).toHaveText(/Your answers$/);
        expect(await violations(page, { tags: WCAG })).toEqual([]);
        for (const button of await column(lab).locator('footer :is(button, a)').all())
          expect((await button.boundingBox())?.height ?? 44).toBeGreaterThanOrEqual(44);
      },
    );
});

test(
  'on a phone no lesson is wider than the window, and its title is whole',
  { tag: '@nightly' },
  async ({ lab, page }) => {
    test.slow();
    for (const language of ['', '&lang=de']) {
      await page.setViewportSize({ width: 390, height: 844 });
      await lab.open(`l1.1${language}`);
      for (let number = 1; number <= LAST; number += 1) {
        await page.evaluate(
          (to) => {
            location.hash = to;
          },
          `l${String(number)}.1`,
        );
        const title = page.locator('button.scenario .name');
        await expect(title).toContainText(new RegExp(` ${String(number)} · `));
        await lab.idle();
        await fitsPhones(lab, `lesson ${String(number)}`);
      }
    }
  },
);
