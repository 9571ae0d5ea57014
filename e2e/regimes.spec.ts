/** How the machine is drawn at every speed: nothing moves too fast, every move is counted, daemons stay unobtrusive. */
import { expect, type Lab, test } from './fixtures';

const scenario = (schedulers: readonly { id: string; era?: string }[], count = 9) => ({
  version: 1,
  name: 'hogs with daemons',
  seed: 1,
  machine: 'i7860',
  schedulers,
  groups: [{ name: 'hog', count, behaviour: { kind: 'compute' } }],
  background: { daemons: {}, kernelThreads: {} },
  end: { atNs: 600e9 },
});

async function open(lab: Lab, given: ReturnType<typeof scenario>, atNs: number): Promise<void> {
  await lab.open();
  await show(lab, given, atNs);
}

/** The same on a page that is there. */
async function show(lab: Lab, given: ReturnType<typeof scenario>, atNs: number): Promise<void> {
  await lab.page.evaluate((s) => window.__sim.open(s), JSON.stringify(given));
  await lab.idle();
  await lab.page.evaluate((ns) => window.__sim.seek(ns), atNs);
  await lab.idle();
}

const rects = (lab: Lab) => lab.page.evaluate(() => window.__sim.stageRects());

/** Plays until a time has passed, and looks at every picture on the way. */
function play(lab: Lab, untilNs: number) {
  return lab.page.evaluate(async (until) => {
    const button = (name: string) =>
      document.querySelector<HTMLButtonElement>(`button[aria-label="${name}"]`);
    const seen = {
      words: new Set<string>(),
      regimes: new Set<string>(),
      threads: new Set<string>(),
    };
    button('Play')?.click();
    do {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      for (const lane of window.__sim.stageRects()) {
        seen.regimes.add(lane.regime);
        for (const text of lane.said) seen.words.add(text);
        for (const { thread } of lane.lines) seen.threads.add(thread ?? 'all');
      }
    } while (window.__sim.nowNs() < until && button('Pause'));
    button('Pause')?.click();
    return {
      words: [...seen.words],
      regimes: [...seen.regimes],
      threads: [...seen.threads],
    };
  }, untilNs);
}

interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Drawn seconds of the long test, and of the short one. */
const [LONG, SHORT] = [20, 3];
/** A visible change of relative luminance, as in WCAG's general flash. */
const SEEN = 0.1;

/**
 * Plays until a time and reads every picture. Returns the most lines of a lane, its words, and the most
 * changes of luminance within one second, in a slot and in any cell of a coarse grid over the machine. A token that
 * flies across a slot is motion: that slot is read again when it has passed, and the coarse grid still sees it.
 *
 * A change happened between the last look without it and the first look with it. Changes count as within one second
 * only if even the earliest time of the first and the latest of the last are. Pictures come slowly on a busy machine,
 * and a late look would otherwise push changes together.
 */
function flicker(lab: Lab, untilNs: number) {
  return lab.page.evaluate(
    async ([until, seen]) => {
      const button = (name: string) =>
        document.querySelector<HTMLButtonElement>(`button[aria-label="${name}"]`);
      const found = { lines: 0, inSlot: 0, anywhere: 0, words: new Set<string>(), pictures: 0 };
      const machines = [...document.querySelectorAll<HTMLElement>('[data-view="Machine"]')];
      const CELL = 64;
      /** Reads parts of a machine as one pixel each; `draw` places its picture. */
      const reader = (
        most: 'inSlot' | 'anywhere',
        box: HTMLElement,
        [columns, rows]: readonly [number, number],
        draw: (ctx: CanvasRenderingContext2D, canvas: HTMLCanvasElement) => void,
      ) => {
        const small = document.createElement('canvas');
        [small.width, small.height] = [columns, rows];
        const ctx = small.getContext('2d', { willReadFrequently: true });
        if (!ctx) throw new Error('no canvas');
        const cells = Array.from({ length: columns * rows }, () => ({
          at: Number.NaN,
          way: 0,
          lookedMs: 0,
          /** The earliest time of each change of the last second. */
          since: [] as number[],
        }));
        return { most, box, small, ctx, cells, draw };
      };
      const lanes = window.__sim.stageRects();
      const readers = machines.flatMap((box, i) => {
        const { left, top, width, height } = box.getBoundingClientRect();
        const slots = lanes[i]?.slots ?? [];
        const size = [Math.ceil(width / CELL), Math.ceil(height / CELL)] as const;
        return [
          reader('anywhere', box, size, (ctx, canvas) => {
            ctx.drawImage(canvas, 0, 0, ...size);
          }),
          reader('inSlot', box, [slots.length, 1], (ctx, canvas) => {
            const scale = canvas.width / width;
            slots.forEach(({ rect: { x, y, w, h } }, slot) => {
              const of = [x - left, y - top, w, h].map((v) => v * scale) as [
                number,
                number,
                number,
                number,
              ];
              ctx.drawImage(canvas, ...of, slot, 0, 1, 1);
            });
          }),
        ];
      });
      const isOver = (a: Rect, b: Rect) =>
        a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
      const linear = (v: number) => (v <= 10 ? v / 3294 : ((v / 255 + 0.055) / 1.055) ** 2.4);
      button('Play')?.click();
      while (window.__sim.nowNs() < until && (found.pictures === 0 || button('Pause'))) {
        const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
        found.pictures += 1;
        for (const lane of window.__sim.stageRects()) {
          found.lines = Math.max(found.lines, lane.lines.length);
          for (const text of lane.said) found.words.add(text);
        }
        for (const { most, box, small, ctx, cells, draw } of readers) {
          ctx.fillStyle = '#fff';
          ctx.fillRect(0, 0, small.width, small.height);
          ctx.imageSmoothingQuality = 'high';
          for (const canvas of box.querySelectorAll('canvas')) draw(ctx, canvas);
          const { data } = ctx.getImageData(0, 0, small.width, small.height);
          const lane = most === 'inSlot' ? machines.indexOf(box) : -1;
          const { slots = [], tokens = [] } = window.__sim.stageRects()[lane] ?? {};
          const flying = tokens.filter((t) => t.isMoving).map((t) => t.rect);
          cells.forEach((cell, i) => {
            const slot = slots[i]?.rect;
            if (slot && flying.some((r) => isOver(r, slot))) return;
            const [r = 0, g = 0, b = 0] = data.subarray(4 * i, 4 * i + 3);
            const light = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
            if (Number.isNaN(cell.at)) cell.at = light;
            const way = Math.sign(light - cell.at);
            // Further in the same direction is still the same change.
            if (way === cell.way) cell.at = light;
            else if (Math.abs(light - cell.at) >= seen) {
              Object.assign(cell, { at: light, way });
              cell.since.push(cell.lookedMs);
              while (now - (cell.since[0] ?? now) >= 1000) cell.since.shift();
              found[most] = Math.max(found[most], cell.since.length);
            }
            cell.lookedMs = now;
          });
        }
      }
      button('Pause')?.click();
      return { ...found, words: [...found.words] };
    },
    [untilNs, SEEN] as const,
  );
}

/** Plays for some drawn seconds at a speed in ms per s: nothing changes too fast, and every move is counted. */
async function plays(lab: Lab, speed: string, regime: 'totals' | null, drawn: number) {
  const { page } = lab;
  await lab.type('speed', speed);
  const length = Number(speed) * 1e6;
  const until = (await lab.now()) + drawn * length;
  const { lines, inSlot, anywhere, pictures, words } = await flicker(lab, until);
  await lab.idle();
  // A picture stands for a tenth of a second at most.
  expect(pictures).toBeGreaterThan(drawn);
  expect(lines).toBeLessThanOrEqual(8);
  expect(inSlot).toBeLessThanOrEqual(3);
  // Two slots share a cell; WCAG allows three flashes, each of which is two changes.
  expect(anywhere).toBeLessThanOrEqual(regime === null ? 6 : 3);
  // So slow that slots do change.
  if (regime === null) expect(inSlot).toBeGreaterThan(0);
  expect(words.length).toBeGreaterThan(0);
  expect(words.join()).not.toContain('⋯');
  await expect(page.locator('body')).not.toContainText('⋯');
  const [lane] = await rects(lab);
  if (regime === null) {
    expect(lane?.regime).not.toBe('totals');
    return;
  }
  expect(lane?.regime).toBe(regime);
  const totals = lane?.totals;
  if (!lane || !totals) throw new Error('nothing is added up');
  // A whole drawn second, with every move of it in exactly one number.
  expect(totals.toNs - totals.fromNs).toBe(length);
  const onLines = lane.lines.reduce((sum, line) => sum + line.count, 0);
  expect(onLines + totals.rest + totals.within).toBe(totals.moves);
  expect(totals.moves).toBeGreaterThan(0);
  // Counts of the core up to the end and the beginning of that second.
  await page.evaluate((ns) => window.__sim.seek(ns), totals.fromNs);
  await lab.idle();
  const [before] = await rects(lab);
  expect(totals.moves).toBe(lane.migrations - (before?.migrations ?? 0));
}

for (const [speed, regime] of [
  ['20', null],
  ['200', 'totals'],
  ['1000', 'totals'],
  ['10000', 'totals'],
] as const)
  test(
    `no storm, no flicker and no ellipsis at ${speed} ms per s`,
    { tag: '@nightly' },
    async ({ lab }) => {
      await open(lab, scenario([{ id: 'bfs' }]), 500e6);
      await plays(lab, speed, regime, LONG);
    },
  );

test('the machine is drawn as its speed allows', async ({ lab, page }) => {
  await open(lab, scenario([{ id: 'bfs' }]), 3e9);
  await test.step('the speed control names the regime, and the timeline changes with it', async () => {
    const regime = (name: string) => page.locator('.regime', { hasText: new RegExp(`^${name}$`) });
    const tab = (name: string) => page.getByRole('tab', { name, exact: true });
    const isShown = (name: string) => expect(tab(name)).toHaveAttribute('aria-selected', 'true');
    await lab.type('speed', '1');
    await expect(regime('each move')).toHaveAttribute('title', 'Each move is drawn');
    await isShown('who runs');
    await lab.type('speed', '1000');
    await expect(page.getByRole('slider', { name: 'Speed' })).toHaveAttribute(
      'aria-valuetext',
      '1.00 s/s',
    );
    await expect(regime('totals')).toHaveAttribute('title', /the last second is added up/);
    await isShown('shares over time');
    await lab.type('speed', '1');
    await isShown('who runs');
    // A tab that the user chooses stays, whatever the speed.
    await lab.tab('who runs');
    await lab.type('speed', '1000');
    await expect(regime('totals')).toBeVisible();
    await isShown('who runs');
    await lab.tab('queue lengths');
    await lab.type('speed', '1');
    await isShown('queue lengths');
  });
  await test.step('no storm, no flicker and no ellipsis, and bands fill the slots', async () => {
    await show(lab, scenario([{ id: 'bfs' }]), 500e6);
    await plays(lab, '1000', 'totals', SHORT);
    await bandsFill(lab);
  });
  await test.step('a step shows its own event, however fast time ran before', async () => {
    expect((await rects(lab))[0]?.regime).toBe('totals');
    await lab.step('migration');
    // On a busy machine the last picture may be the one before the move.
    await expect
      .poll(async () => {
        const [lane] = await rects(lab);
        return {
          regime: lane?.regime,
          hasLines: (lane?.lines.length ?? 0) > 0,
          saysWho: /hog-\d+/.test(lane?.said.join() ?? ''),
        };
      })
      .toEqual({ regime: 'each move', hasLines: true, saysWho: true });
  });
  await test.step('slots keep their places, whatever happens beside them', async () => {
    await show(lab, scenario([{ id: 'ule' }, { id: 'bfs' }], 3), 200e6);
    const before = (await rects(lab)).map((lane) => lane.slots);
    // An empty queue becomes full.
    await lab.type('Processes', '40');
    await page.evaluate(() => window.__sim.seek(400e6));
    await lab.idle();
    const after = await rects(lab);
    expect(after.some((lane) => lane.tokens.some((t) => t.state === 'queue'))).toBe(true);
    expect(after.map((lane) => lane.slots)).toEqual(before);
  });
});

/** The parts of nine hogs fill eight CPUs, except for daemons. */
async function bandsFill(lab: Lab): Promise<void> {
  for (const { tokens, slots } of await rects(lab)) {
    const bands = tokens.filter((t) => t.state === 'band');
    expect(bands.length).toBeGreaterThanOrEqual(slots.length);
    const widths = bands.reduce((sum, b) => sum + b.rect.w, 0);
    const all = slots.reduce((sum, s) => sum + s.rect.w, 0);
    expect(widths / all).toBeGreaterThan(0.85);
    expect(widths / all).toBeLessThanOrEqual(1);
  }
}

test(
  'slots show bands of their threads, and nothing changes too fast to be seen',
  { tag: '@nightly' },
  async ({ lab }) => {
    await open(lab, scenario([{ id: 'bfs' }, { id: 'ule' }]), 3e9);
    await lab.type('speed', '1000');
    const before = await rects(lab);
    /** Number of changes of a slot's bands in a second. */
    const changes = await lab.page.evaluate(async () => {
      document.querySelector<HTMLButtonElement>('button[aria-label="Play"]')?.click();
      const bands = () =>
        window.__sim
          .stageRects()
          .map((lane) => JSON.stringify(lane.tokens.filter((t) => t.state === 'band')));
      const counts: number[] = [];
      const last: string[] = [];
      let [began, now] = [0, 0];
      while (now - began < 3000) {
        now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
        if (began === 0) began = now;
        bands().forEach((text, lane) => {
          if (text !== last[lane]) counts[lane] = (counts[lane] ?? 0) + 1;
          last[lane] = text;
        });
      }
      document.querySelector<HTMLButtonElement>('button[aria-label="Pause"]')?.click();
      return counts;
    });
    for (const n of changes) expect(n).toBeLessThanOrEqual(1 + 9);
    await lab.idle();
    const after = await rects(lab);
    expect(after.map((lane) => lane.slots)).toEqual(before.map((lane) => lane.slots));
    await bandsFill(lab);
  },
);

test('daemons stay unobtrusive', { tag: '@nightly' }, async ({ lab, page }) => {
  await open(lab, scenario([{ id: 'manual' }, { id: 'ule' }], 8), 3e9);
  await lab.type('speed', '1000');
  const { words } = await play(lab, 5e9);
  await lab.idle();
  expect(words.join()).toMatch(/daemons moved \d+ times, not drawn/);
  expect(words.join()).toContain('0 moves of jobs');
  const lanes = await rects(lab);
  expect(lanes[0]?.migrations).toBe(0);
  expect(lanes[0]?.lines).toEqual([]);
  for (const { tokens } of lanes) expect(tokens.filter((t) => t.isDaemon)).toEqual([]);
  // Slowly enough for trails: daemons leave none.
  await lab.type('speed', '100');
  const slowly = await play(lab, 5.3e9);
  await lab.idle();
  expect(slowly.regimes).not.toContain('totals');
  expect(slowly.threads.filter((name) => !name.startsWith('hog'))).toEqual([]);
  // Steps until one runs: it is drawn only on demand, and small.
  let small = 0;
  for (let i = 0; i < 12; i++) {
    await lab.step('switch');
    const hidden = (await rects(lab)).flatMap((l) => l.tokens.filter((t) => t.isDaemon));
    expect(hidden).toEqual([]);
    await page.keyboard.press('Shift+D');
    await lab.idle();
    const [now] = await rects(lab);
    expect(now?.lines.filter((l) => l.thread !== null && !l.thread.startsWith('hog'))).toEqual([]);
    const job = Math.max(0, ...(now?.tokens ?? []).filter((t) => !t.isDaemon).map((t) => t.rect.w));
    for (const t of now?.tokens.filter((one) => one.isDaemon && one.state === 'slot') ?? []) {
      expect(t.rect.w).toBeLessThanOrEqual(0.4 * job + 0.01);
      small += 1;
    }
    await page.keyboard.press('Shift+D');
    await lab.idle();
  }
  expect(small).toBeGreaterThan(0);
});

test(
  'the refusal of an idle CPU is shown as long as a thread waits',
  { tag: '@nightly' },
  async ({ lab, page }) => {
    await lab.open('v=1&x=s0-v890&t=18400');
    const ule = async () => (await rects(lab))[1];
    const refused = await ule();
    expect(refused?.said.join()).toMatch(/cpu \d+ idles and does not take loop-\d+ from cpu \d+/);
    expect(refused?.lines.length).toBeGreaterThan(0);
    expect(refused?.lines.length).toBeLessThanOrEqual(8);
    await page.evaluate(() => window.__sim.seek(28.5e9));
    await lab.idle();
    expect((await ule())?.lines).toEqual([]);
  },
);
