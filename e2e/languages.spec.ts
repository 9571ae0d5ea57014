/** The page in German, and in a pseudo-language that reveals untranslated and clipped texts. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import type { Browser, Locator, Page } from '@playwright/test';
import { pseudoPage } from '../scripts/lib/paths.mjs';
import { reasonTables } from '../web/reasons.js';
import { expect, Lab, test } from './fixtures';
import { lookAt } from './readable';
import { StaticHost } from './static-server';

const PHONE = [390, 844] as const;
const DESK = [1280, 800] as const;

const MACHINES = path.join(import.meta.dirname, '..', 'scenarios', 'machines');

/** Names of machines, which are the same in every language. */
const machines = readdirSync(MACHINES).map((file) => {
  const { name } = JSON.parse(readFileSync(path.join(MACHINES, file), 'utf8')) as { name: string };
  return name.replace(/ \(.*/, '');
});

/** Data and names: threads and groups, schedulers with their years, kernel releases, units, lines of kernel sources. */
const DATA =
  /^[\w-]+[- ]\d+(–\d+)?( \d+ %)?$|^(ULE|4BSD|CFS|BFS|EEVDF|CPU)\b[\w. ]*$|Linux \d|\d-CURRENT|^\d+ min$|^(batch|\d+ interactive)$|^dhry$|^(English|Deutsch)$/;

/** Reasons and tunables have their names in the code, in every language. */
const reasons = new Set(
  reasonTables().flatMap(([, rows]) =>
    (rows as { id: string }[]).map(({ id }) => id.replaceAll('_', ' ')),
  ),
);

const LESSONS = path.join(import.meta.dirname, '..', 'scenarios', 'lessons');

/** All English texts of lessons, cut where numbers are filled in. The page's catalogs do not contain lessons. */
const lessonTexts = readdirSync(LESSONS)
  .filter((file) => /^l\d[\w-]*\.json$/.test(file))
  .flatMap((file) => leaves(JSON.parse(readFileSync(path.join(LESSONS, file), 'utf8'))))
  .flatMap((text) => text.split(/\{[^}]*\}|\*/));

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(leaves);
}

/** A shorter part of a lesson could be found by chance. */
const LEAST_LETTERS = 12;

const isOfLesson = (text: string) =>
  lessonTexts.some(
    (said) =>
      said.trim() === text ||
      (text.length >= LEAST_LETTERS && said.includes(text)) ||
      (said.length >= LEAST_LETTERS && text.includes(said.trim())),
  );

const isData = (text: string) =>
  DATA.test(text) ||
  reasons.has(text) ||
  isOfLesson(text) ||
  machines.some((name) => text.startsWith(name));

/** All texts, including those for screen readers and tooltips; without code, and without lessons in another language. */
function texts(): string[] {
  const found = new Set<string>();
  const isOther = (element: Element | null) =>
    element?.closest('code, kbd, noscript, script, style, [lang]:not(html)') ?? false;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!isOther(node.parentElement)) found.add(node.nodeValue?.trim() ?? '');
  }
  for (const name of ['aria-label', 'aria-valuetext', 'title', 'placeholder'])
    for (const element of document.querySelectorAll(`[${name}]`))
      if (!isOther(element)) found.add(element.getAttribute(name)?.trim() ?? '');
  return [...found].filter((text) => /\p{L}{3}/u.test(text));
}

/** Walks through Start, the first lesson and the laboratory, and looks at each stop. */
async function walk(lab: Lab, look: (stop: string) => Promise<void>): Promise<void> {
  const { page } = lab;
  const there = (selector: string) =>
    expect(page.locator(selector).filter({ visible: true }).first()).toBeVisible();
  await lab.start();
  await look('Start');
  for (const step of ['1', '2', '3', '5']) {
    await lab.open(`l1.${step}`);
    await there('aside.lesson');
    await there('.answer, .lesson-answer, [data-lesson-step]');
    await look(`lesson 1, step ${step}`);
  }
  await lab.open('s.bfs-smt&t=250');
  await look('laboratory');
  for (const key of ['s', 'i']) {
    await page.keyboard.press(key);
    await lab.idle();
    await look(`laboratory, ${key}`);
    await page.keyboard.press(key);
  }
  await page.keyboard.press('?');
  await there('dialog');
  await look('keys');
}

/**
 * No text is clipped, and nothing is outside of the page. Text that scrolls, or ends in dots with a full tooltip, is
 * not clipped.
 */
async function fits(page: Page, stop: string): Promise<void> {
  const { cut } = await page.evaluate(lookAt, 0);
  const reached = await page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((element) => {
        const { overflowX, textOverflow } = getComputedStyle(element);
        const isTold = element.closest('[title]') !== null && textOverflow === 'ellipsis';
        return /auto|scroll/.test(overflowX) || isTold;
      })
      .map((element) => element.textContent),
  );
  const isReached = (text: string) =>
    reached.some((all) => all.includes(text.replace('over the edge: ', '')));
  expect
    .soft(
      cut.filter((text) => !isReached(text)),
      `${stop}: cut`,
    )
    .toEqual([]);
}

async function labAt(browser: Browser, host: StaticHost, size: readonly [number, number]) {
  const [width, height] = size;
  const context = await browser.newContext({
    baseURL: host.url,
    viewport: { width, height },
    serviceWorkers: 'block',
  });
  return { context, lab: new Lab(await context.newPage()) };
}

/** In the pseudo-language everything is translated, and nothing is clipped. */
async function walkMadeLanguage(browser: Browser, size: readonly [number, number]): Promise<void> {
  const host = await StaticHost.start('/', pseudoPage);
  const { context, lab } = await labAt(browser, host, size);
  await walk(lab, async (stop) => {
    const all = await lab.page.evaluate(texts);
    // Each text of it is in brackets; a part that was joined to it is beside them.
    const plain = all.filter((text) => !/\[.*\p{Ll}/u.test(text) && !/[øçéñóš]/.test(text));
    expect
      .soft(
        plain.filter((text) => !isData(text)),
        `${stop}: not translated`,
      )
      .toEqual([]);
    await fits(lab.page, stop);
  });
  await context.close();
  await host.stop();
}

/** In German nothing stays English, and nothing is clipped. */
async function walkGerman(browser: Browser, size: readonly [number, number]): Promise<void> {
  const host = await StaticHost.start('/');
  const { context, lab } = await labAt(browser, host, size);
  // As after the user's choice.
  await context.addInitScript(() => {
    localStorage.setItem('timeslice.language', 'de');
  });
  const english = englishOnly();
  await walk(lab, async (stop) => {
    expect.soft(await lab.page.locator('html').getAttribute('lang'), stop).toBe('de');
    const all = await lab.page.evaluate(texts);
    expect
      .soft(
        all.filter((text) => english.has(text) && !DATA.test(text)),
        `${stop}: English`,
      )
      .toEqual([]);
    await fits(lab.page, stop);
  });
  await context.close();
  await host.stop();
}

for (const size of [PHONE, DESK]) {
  const at = size.join(' × ');

  test(
    `in the pseudo-language everything is translated and nothing is clipped, at ${at}`,
    { tag: '@nightly' },
    async ({ browser }) => {
      test.setTimeout(400_000);
      await walkMadeLanguage(browser, size);
    },
  );

  test(
    `in German nothing stays English and nothing is clipped, at ${at}`,
    // Long words are cut first on the narrow page.
    { tag: size === PHONE ? [] : '@nightly' },
    async ({ browser }) => {
      test.setTimeout(400_000);
      await walkGerman(browser, size);
    },
  );
}

/** English texts that differ in German. */
function englishOnly(): ReadonlySet<string> {
  const file = path.join(import.meta.dirname, '..', 'web', 'src', 'locales', 'de.po');
  const entry = /^msgid ((?:"[^\n]*"\n)+)msgstr ((?:"[^\n]*"\n?)+)/gm;
  const whole = (lines: string | undefined) =>
    (lines ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string)
      .join('');
  const pairs = [...readFileSync(file, 'utf8').matchAll(entry)].map(
    ([, id, text]) => [whole(id), whole(text)] as const,
  );
  const german = new Set(pairs.map(([, text]) => text));
  // A text that waits for its German stays English.
  const isOther = ([id, text]: readonly [string, string]) =>
    text !== '' && id !== text && !german.has(id);
  return new Set(pairs.filter(isOther).map(([id]) => id));
}

test('a link contains the language only when it was chosen, and German is loaded only then; after the # it counts, too', async ({
  lab,
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await lab.open('s.bfs-smt');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  expect(page.url()).not.toContain('lang');
  const before = new Set(asked);
  await page.getByLabel('Language').selectOption('Deutsch');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await lab.idle();
  expect(new URL(page.url()).searchParams.get('lang')).toBe('de');
  expect(page.url()).toContain('#s.bfs-smt');
  expect([...asked].filter((file) => file.endsWith('.js') && !before.has(file))).not.toEqual([]);
  await expect(page.getByRole('button', { name: 'Vorführen' })).toBeVisible();
  // It is remembered for links without a language, and forgotten when English is chosen.
  await lab.start();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.getByLabel('Sprache').selectOption('English');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await lab.idle();
  expect(page.url()).not.toContain('lang');

  await lab.open('s.bfs-smt&lang=de');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByRole('status').filter({ hasText: 'lang' })).toHaveCount(0);
  expect(page.url()).toContain('?lang=de#s.bfs-smt');
});

/** A group of threads, and a scenario with a behaviour that there is not. */
const GROUP = { name: 'a', count: 1, behaviour: { kind: 'dhrystone' } };
const WRONG = {
  version: 1,
  name: 'x',
  machine: 'i7860',
  schedulers: [{ id: 'bfs' }],
  groups: [{ ...GROUP, behaviour: { kind: 'dance' } }],
  end: { atNs: 1_000_000_000 },
};

/** As somebody has chosen it; the blank page before has no place to remember it. */
const speaksGerman = (page: Page) =>
  page.addInitScript(() => {
    if (location.protocol.startsWith('http')) localStorage.setItem('timeslice.language', 'de');
  });

/** Words of English sentences that are in no German one. */
const ENGLISH =
  /\b(must|may|not|no|is|are|has|the|of|than|from|to|and|or|got|expected|with|only|used|left|out|unknown|missing|default|that|there)\b/i;

/** What is told in a place, without what is quoted. */
async function toldIn(place: Locator): Promise<string> {
  const texts = await place.evaluateAll((all) =>
    all.map((one) => {
      const copy = one.cloneNode(true) as Element;
      for (const other of copy.querySelectorAll('code, b, [lang]')) other.remove();
      return copy.textContent;
    }),
  );
  return texts.join(' ').replaceAll(/„[^“]*“|`[^`]*`/g, '');
}

test('wrong input is answered in German: in a link, in a file, in a box', async ({ lab, page }) => {
  await speaksGerman(page);
  const english = [...englishOnly()].filter((text) => text.length > 20);
  const notices = page.getByRole('region', { name: 'Meldungen' });
  const said = async (place: Locator, expected: RegExp) => {
    await expect(place.first()).toContainText(expected);
    const told = await toldIn(place);
    expect(told).not.toMatch(ENGLISH);
    expect(english.filter((text) => told.includes(text))).toEqual([]);
  };

  await lab.open('v=1&x=bfs-smt&k=99999&colour=1&t=never');
  await said(notices, /Im Link muss k so sein.*Die Vorgabe gilt/s);
  await lab.open('x=bfs-smt&z=~');
  await said(notices, /z hat Zeichen, die kein Link enthält/);
  await lab.open('v=99');
  await said(notices, /neueres Timeslice/);
  // What the core refuses.
  const packed = deflateRawSync(
    JSON.stringify({ ...WRONG, groups: [{ ...GROUP, count: 90_000 }] }),
  );
  await lab.open(`v=1&x=bfs-smt&z=${packed.toString('base64url')}`);
  await said(notices, /groups\[0\]\.count: muss im Bereich 0 bis .* liegen, ist aber 90000/);

  const problems = page.getByRole('dialog').filter({ has: page.locator('#file-problems') });
  for (const [file, expected] of [
    [JSON.stringify(WRONG), /Feld `kind` fehlt|muss eins sein von/],
    [
      JSON.stringify({ ...WRONG, name: 'n'.repeat(99), machine: 'abacus', groups: [GROUP, GROUP] }),
      /muss eins sein von i7860.*ist aber „abacus“.*„a“ ist vergeben/s,
    ],
    [JSON.stringify({ ...WRONG, groups: [{ ...GROUP, count: -1 }] }), /Wert nicht möglich/],
    ['{ "version": 1 "name": ', /dies ist kein JSON: hier wird ein Komma erwartet/],
    ['[]', /Szenario/],
  ] as const) {
    await page.evaluate((text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], 'datei.json'));
      document.body.dispatchEvent(
        new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
      );
    }, file);
    await said(problems, expected);
    await page.keyboard.press('Escape');
    await expect(problems).toBeHidden();
  }

  await lab.open();
  await lab.type('Prozesse', '9000');
  await expect(page.getByRole('alert')).toHaveText('Prozesse: 1 bis 5000');
  await page.getByRole('button', { name: 'Aufbau', exact: true }).click();
  await page.getByRole('button', { name: 'Zu meiner machen…' }).click();
  const editor = page.getByRole('dialog', { name: 'Die Maschine ändern' });
  await editor.getByRole('spinbutton', { name: 'Kontexte je Kern (SMT)' }).fill('99');
  await page.keyboard.press('Tab');
  await said(editor.getByRole('status'), /muss im Bereich 1 bis 8 Kontexte liegen, ist aber 99/);
});

test('replications in German say what is English, and mark it', async ({ lab, page }) => {
  await speaksGerman(page);
  const english = englishOnly();
  for (const [place, expected] of [
    // The first is opened with the page, as its words are on the others, too.
    ['r=numbers', /sind auf Englisch/],
    ['r=', /ULE platziert neue Threads gleichmäßig, CFS nicht/],
    ['r=claims', /Bis vier Instanzen ist der Durchsatz linear/],
    ['r=s2a', /Anteil der Batch-Anwendung/],
  ] as const) {
    if (page.url() === 'about:blank') await lab.open(place);
    else
      await page.evaluate((to) => {
        location.hash = to;
      }, place);
    await expect(page.getByRole('main')).toContainText(expected);
    await expect(page.getByText('sind auf Englisch.').first()).toBeVisible();
    const all = await page.evaluate(texts);
    expect
      .soft(
        all.filter((text) => english.has(text) && !DATA.test(text)),
        place,
      )
      .toEqual([]);
    expect
      .soft(await page.locator('main.replications [lang=en]').count(), place)
      .toBeGreaterThan(0);
  }
});
