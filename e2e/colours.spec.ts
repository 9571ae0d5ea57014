/**
 * One thread, one colour: nine of them are distinguishable with every kind of sight, in both lanes and all three
 * views.
 */
import { confusable, contrast } from '../web/src/lib/test-colours';
import { expect, type Lab, test } from './fixtures';

const HOGS = 9;
const SCENARIO = {
  version: 1,
  name: 'nine hogs',
  seed: 1,
  machine: 'i7860',
  schedulers: [{ id: 'ule' }, { id: 'bfs' }],
  groups: [{ name: 'hog', count: HOGS, behaviour: { kind: 'compute' } }],
  end: { atNs: 60e9 },
};
const names = Array.from({ length: HOGS }, (_, i) => `hog-${String(i + 1)}`);

/** Fills by thread in the machine and bars of each lane; a thread with two fills has both here. */
function fillsOfViews(lab: Lab) {
  return lab.page.evaluate(() => {
    const hex = (color: string) =>
      `#${(color.match(/\d+/g) ?? [])
        .slice(0, 3)
        .map((part) => Number(part).toString(16).padStart(2, '0'))
        .join('')}`;
    const found: Record<string, Record<string, string[]>> = {};
    const add = (view: string, thread: string, fill: string) => {
      const fills = ((found[view] ??= {})[thread] ??= []);
      if (!fills.includes(fill)) fills.push(fill);
    };
    for (const { lane, tokens } of window.__sim.stageRects())
      for (const { thread, fill } of tokens) add(`machine ${String(lane)}`, thread, fill);
    for (const lane of document.querySelectorAll<HTMLElement>('section.lane'))
      for (const row of lane.querySelectorAll('.shares button')) {
        const bar = row.querySelector('.track i');
        if (!bar) continue;
        const name = row.querySelector('.name')?.textContent ?? '';
        add(`bars ${lane.dataset['lane'] ?? ''}`, name, hex(getComputedStyle(bar).backgroundColor));
      }
    return found;
  });
}

/** The colours that fill a timeline, without those of its ground. A letter has fewer pixels of any colour. */
function fillsOfTimelines(lab: Lab) {
  return lab.page.evaluate(() =>
    [...document.querySelectorAll<HTMLCanvasElement>('canvas[data-view="Timeline"]')].map(
      (canvas) => {
        // Reading a copy does not affect the page.
        const { width, height } = canvas;
        const copy = new OffscreenCanvas(width, height).getContext('2d', {
          willReadFrequently: true,
        });
        copy?.drawImage(canvas, 0, 0);
        const pixels = copy?.getImageData(0, 0, width, height);
        const count = new Map<number, number>();
        for (let i = 0; i < (pixels?.data.length ?? 0); i += 4) {
          const [r = 0, g = 0, b = 0, a = 0] = pixels?.data.subarray(i, i + 4) ?? [];
          if (a === 255)
            count.set((r << 16) | (g << 8) | b, 1 + (count.get((r << 16) | (g << 8) | b) ?? 0));
        }
        return Object.fromEntries(
          [...count].map(([rgb, n]) => [`#${rgb.toString(16).padStart(6, '0')}`, n]),
        );
      },
    ),
  );
}

/** Values of custom properties. */
const tokens = (lab: Lab, ...of: readonly string[]) =>
  lab.page.evaluate((all) => {
    const style = getComputedStyle(document.documentElement);
    // The build writes #fff for #ffffff.
    return all.map((name) =>
      style
        .getPropertyValue(name)
        .trim()
        .replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3'),
    );
  }, of);

/** Edges and letters have fewer pixels of one colour than this. */
const MANY = 150;

/** Every view gives each of the nine threads its own colour, which nothing else on the page is mistaken for. */
async function haveOwnColours(lab: Lab): Promise<Map<string, string>> {
  const views = await fillsOfViews(lab);
  expect(Object.keys(views).sort()).toEqual(['bars 0', 'bars 1', 'machine 0', 'machine 1']);
  const own = views['bars 0'] ?? {};
  expect(Object.keys(own).sort()).toEqual(names);
  // Each thread has one fill, which is the same in both lanes, in machines and in bars.
  for (const [view, fills] of Object.entries(views)) expect(fills, view).toEqual(own);
  const fillOf = new Map(names.map((name) => [name, own[name]?.join(' ') ?? '']));
  const fills = [...fillOf.values()];
  expect(new Set(fills).size).toBe(HOGS);
  // The same holds in timelines, which take turns with other views to be painted.
  const missing = async () =>
    (await fillsOfTimelines(lab)).map((count) => fills.filter((f) => (count[f] ?? 0) <= MANY));
  await expect.poll(missing).toEqual([[], []]);

  const others = await tokens(lab, '--accent', '--background-thread');
  expect(confusable(fills, others)).toEqual([]);
  // Rims are visible on the ground, whatever the fill.
  const [ground = ''] = await tokens(lab, '--slot');
  const rims = await lab.page.evaluate(() =>
    window.__sim.stageRects().flatMap((lane) => lane.tokens.map((t) => t.rim)),
  );
  for (const rim of rims) expect(contrast(rim, ground), rim).toBeGreaterThanOrEqual(3);
  return fillOf;
}

test('nine threads have nine colours, the same everywhere, light and dark', async ({
  lab,
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await lab.open();
  await page.evaluate((s) => window.__sim.open(s), JSON.stringify(SCENARIO));
  await page.evaluate(() => window.__sim.seek(400e6));
  await lab.idle();
  await haveOwnColours(lab);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await lab.idle();
  const fillOf = await haveOwnColours(lab);

  await test.step('with a selected thread, timelines show only its colour', async () => {
    const fills = [...fillOf.values()];
    for (const [name, fill] of [...fillOf].slice(0, 3)) {
      const row = page.locator('.shares button', { hasText: name }).first();
      await row.click();
      await lab.idle();
      const seen = async () =>
        (await fillsOfTimelines(lab)).map((count) => fills.filter((f) => (count[f] ?? 0) > MANY));
      await expect.poll(seen, name).toEqual([[fill], [fill]]);
      await row.click();
      await lab.idle();
    }
  });
});
