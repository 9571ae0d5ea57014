/** How the machine is drawn at every speed: nothing that cannot be followed, every move counted, daemons behind. */
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
  await lab.page.evaluate((s) => window.__sim.open(s), JSON.stringify(given));
  await lab.idle();
  await lab.page.evaluate((ns) => window.__sim.seek(ns), atNs);
  await lab.idle();
}

const rects = (lab: Lab) => lab.page.evaluate(() => window.__sim.stageRects());

/** Plays until so much time has passed, and looks at every picture on the way. */
function play(lab: Lab, untilNs: number) {
  return lab.page.evaluate(async (until) => {
    const button = (name: string) =>
      document.querySelector<HTMLButtonElement>(`button[aria-label="${name}"]`);
    const seen = { lines: 0, words: new Set<string>(), regimes: new Set<string>() };
    button('Play')?.click();
    do {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      for (const lane of window.__sim.stageRects()) {
        seen.lines = Math.max(seen.lines, lane.lines.length);
        seen.regimes.add(lane.regime);
        for (const text of lane.said) seen.words.add(text);
      }
    } while (window.__sim.nowNs() < until && button('Pause'));
    button('Pause')?.click();
    return { lines: seen.lines, words: [...seen.words], regimes: [...seen.regimes] };
  }, untilNs);
}

for (const [speed, regime] of [
  ['20', null],
  ['200', 'totals'],
  ['1000', 'totals'],
  ['10000', 'totals'],
] as const)
  test(`no storm and no ellipsis at ${speed} ms per s`, async ({ lab }) => {
    await open(lab, scenario([{ id: 'bfs' }]), 500e6);
    await lab.type('speed', speed);
    const length = Number(speed) * 1e6;
    const { lines, words, regimes } = await play(lab, 500e6 + 2.2 * length);
    await lab.idle();
    expect(lines).toBeLessThanOrEqual(8);
    expect(words.join()).not.toContain('⋯');
    expect(words.length).toBeGreaterThan(0);
    const [lane] = await rects(lab);
    if (regime === null) {
      expect(regimes).not.toContain('totals');
      return;
    }
    expect(lane?.regime).toBe(regime);
    const totals = lane?.totals;
    if (!lane || !totals) throw new Error('nothing is added up');
    // A whole drawn second, and every move of it in one number.
    expect(totals.toNs - totals.fromNs).toBe(length);
    const onLines = lane.lines.reduce((sum, line) => sum + line.count, 0);
    expect(onLines + totals.rest + totals.within).toBe(totals.moves);
    expect(totals.moves).toBeGreaterThan(0);
    // What the core counted until the end of that second and until its begin.
    await lab.page.evaluate((ns) => window.__sim.seek(ns), totals.fromNs);
    await lab.idle();
    const [before] = await rects(lab);
    expect(totals.moves).toBe(lane.migrations - (before?.migrations ?? 0));
  });

test('slots say who had them, and nothing changes faster than it can be seen', async ({ lab }) => {
  await open(lab, scenario([{ id: 'bfs' }, { id: 'ule' }]), 3e9);
  await lab.type('speed', '1000');
  const before = await rects(lab);
  /** How often the bands of a slot change in a second. */
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
  for (const { tokens, slots } of after) {
    const bands = tokens.filter((t) => t.state === 'band');
    expect(bands.length).toBeGreaterThanOrEqual(slots.length);
    // The parts of nine hogs fill eight CPUs but for daemons.
    const widths = bands.reduce((sum, b) => sum + b.rect.w, 0);
    const all = slots.reduce((sum, s) => sum + s.rect.w, 0);
    expect(widths / all).toBeGreaterThan(0.85);
    expect(widths / all).toBeLessThanOrEqual(1);
  }
});

test('a step shows its own event, however fast time ran before', async ({ lab }) => {
  await open(lab, scenario([{ id: 'bfs' }]), 3e9);
  await lab.type('speed', '1000');
  await play(lab, 4e9);
  await lab.idle();
  expect((await rects(lab))[0]?.regime).toBe('totals');
  await lab.step('migration');
  const [lane] = await rects(lab);
  expect(lane?.regime).toBe('each move');
  expect(lane?.lines.length).toBeGreaterThan(0);
  expect(lane?.said.join()).toMatch(/hog-\d+/);
});

test('slots hold still, whatever happens beside them', async ({ lab, page }) => {
  await open(lab, scenario([{ id: 'ule' }, { id: 'bfs' }], 3), 200e6);
  const slots = async () => (await rects(lab)).map((lane) => lane.slots);
  const before = await slots();
  // An empty queue becomes full.
  await lab.type('Processes', '40');
  await page.evaluate(() => window.__sim.seek(400e6));
  await lab.idle();
  const after = await rects(lab);
  expect(after.some((lane) => lane.tokens.some((t) => t.state === 'queue'))).toBe(true);
  expect(after.map((lane) => lane.slots)).toEqual(before);
});

test('daemons stay behind', async ({ lab, page }) => {
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
  // Step by step until one runs: it is drawn only on demand, and small.
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

test('an idle CPU that takes nobody is seen as long as somebody waits', async ({ lab, page }) => {
  await lab.open('v=1&x=s0-v890&t=11000');
  const ule = async () => (await rects(lab))[1];
  const refused = await ule();
  expect(refused?.said.join()).toMatch(/cpu \d+ idles and does not take loop-\d+ from cpu \d+/);
  expect(refused?.lines.length).toBeGreaterThan(0);
  expect(refused?.lines.length).toBeLessThanOrEqual(8);
  await page.evaluate(() => window.__sim.seek(12e9));
  await lab.idle();
  expect((await ule())?.lines).toEqual([]);
});
