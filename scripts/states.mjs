// Pictures of the page in states worth looking at, into screenshots/ (ignored by git).
//   node scripts/states.mjs [--only TEXT] [--everywhere]     needs a built page: npm run build
// Each state at the size it is made for; with --everywhere each in three sizes, light and dark.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { LINES, onOneCpu } from './lib/eevdf-states.mjs';
import { main } from './lib/entry.mjs';
import { note } from './lib/log.mjs';
import { browse, crowd } from './lib/page-session.mjs';
import { root } from './lib/paths.mjs';

const folder = path.join(root, 'screenshots');
const desk = { width: 1280, height: 800 };
const wall = { width: 1920, height: 1080 };
const phone = { width: 390, height: 844 };
const idle = (page) => page.evaluate(() => window.__sim.whenIdle());
const inspect = async (page) => {
  const button = page.getByRole('button', { name: 'Inspect', exact: true });
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
  await idle(page);
};
const kernel = (id, era) => [{ id, era }];

/** Name, size, the page to open, and the actions there. */
const states = [
  ['first-visit', desk, { fragment: '' }],
  ['first-visit-dark', wall, { fragment: '', context: { colorScheme: 'dark' } }],
  [
    '4bsd-ladder',
    desk,
    { scenario: crowd('k8x4', 24, kernel('4bsd', '2007-10')), at: 4800 },
    inspect,
  ],
  ['ule-rings', wall, { scenario: crowd('k8x4', 40, kernel('ule', '2013-06')), at: 4800 }, inspect],
  ['cfs-trees', wall, { scenario: crowd('k8x4', 40, kernel('cfs', '2.6.34')), at: 4800 }, inspect],
  ['cfs-groups', desk, { scenario: crowd('i7860', 24, kernel('cfs', '4.9')), at: 4800 }, inspect],
  ['bfs-axis', desk, { scenario: crowd('i7860', 24, kernel('bfs', '0.318')), at: 4800 }, inspect],
  // The queue of EEVDF with 1, 5, 40 and 500 threads; its picture is higher than the card.
  ...LINES.flatMap(([threads, at]) =>
    ['light', 'dark'].map((colorScheme) => [
      `eevdf-${threads}-${colorScheme}`,
      { width: 1280, height: 1000 },
      { scenario: onOneCpu(threads), at, context: { colorScheme } },
      inspect,
    ]),
  ),
  ...LINES.map(([threads, at]) => [
    `eevdf-${threads}-tab`,
    desk,
    { scenario: onOneCpu(threads), at },
    (page) =>
      page
        .getByRole('tab', { name: 'queues now', exact: true })
        .click()
        .then(() => idle(page)),
  ]),
  [
    'ule-and-4bsd',
    wall,
    {
      scenario: crowd('v890', 60, [...kernel('ule', '2011-11'), ...kernel('4bsd', '2011-11')]),
      at: 4800,
    },
  ],
  ['500-threads', wall, { scenario: crowd('mc32', 500, kernel('ule', '11.1')), at: 4800 }, inspect],
  ['192-contexts', wall, { scenario: crowd('epyc9654', 2000, kernel('cfs', '4.9')), at: 900 }],
  [
    'presenting',
    wall,
    {
      scenario: crowd('k8x4', 24, [...kernel('ule', '2011-11'), ...kernel('4bsd', '2011-11')]),
      at: 4800,
    },
    async (page) => {
      await page.getByLabel('Colours').selectOption('projector');
      await page.getByRole('button', { name: 'Present' }).click();
      await page
        .getByRole('application', { name: 'Machine of ULE' })
        .click({ position: { x: 60, y: 120 } });
      await idle(page);
    },
  ],
  ['forced-colours', desk, { fragment: '', context: { forcedColors: 'active' } }, inspect],
  ['phone', phone, { fragment: '' }],
  ['narrowest', { width: 320, height: 640 }, { fragment: '' }],
];

/** The sizes and themes of a state: its own, or all. */
function looksOf(name, size, context, everywhere) {
  if (!everywhere) return [[name, size, context]];
  return [desk, wall, phone].flatMap((s) =>
    ['light', 'dark'].map((colorScheme) => [
      `${name}-${s.width}-${colorScheme}`,
      s,
      { ...context, colorScheme },
    ]),
  );
}

await main(async () => {
  const args = process.argv.slice(2);
  const only = args[args.indexOf('--only') + 1];
  mkdirSync(folder, { recursive: true });
  const session = await browse();
  const chosen = states.filter(([name]) => !args.includes('--only') || name.includes(only));
  const looks = chosen.flatMap(([name, size, { at, context, ...what }, act]) =>
    looksOf(name, size, context, args.includes('--everywhere')).map((look) => [
      ...look,
      what,
      at,
      act,
    ]),
  );
  for (const [name, size, context, what, at, act] of looks) {
    const page = await session.open({ ...size, ...what, context });
    if (at !== undefined) {
      await page.evaluate((ns) => window.__sim.seek(ns), at * 1e6);
      await idle(page);
    }
    await act?.(page);
    await page.screenshot({ path: path.join(folder, `${name}.png`) });
    note(`screenshots/${name}.png`);
    await page.close();
  }
  await session.close();
  for (const complaint of session.complaints) note(complaint);
});
