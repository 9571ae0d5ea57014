import { beforeAll, describe, expect, it, vi } from 'vitest';
import { closedLab, idle, openLab } from './test-lab';

/** Globals of a page, which the state may not use. */
const OF_A_PAGE = [
  'document',
  'window',
  'location',
  'history',
  'localStorage',
  'indexedDB',
  'navigator',
  'matchMedia',
  'requestAnimationFrame',
  'addEventListener',
];

describe('the laboratory without a page', () => {
  beforeAll(() => {
    for (const name of OF_A_PAGE) vi.stubGlobal(name, undefined);
    return () => {
      vi.unstubAllGlobals();
    };
  });

  it('opens a link, runs, and takes a change back', async () => {
    const lab = await openLab('s.bfs-smt');
    expect(lab.run.lanes.map((lane) => lane.scheduler)).toEqual(['bfs', 'manual', 'random']);
    await lab.playback.seek(50_000_000);
    const before = lab.run.lanes.map((lane) => lane.digest);
    lab.editing.change({ set: 'groups.*.nice', to: 5 });
    await idle(lab);
    expect(lab.editing.changes).not.toEqual([]);
    lab.editing.undo();
    await idle(lab);
    expect(lab.editing.changes).toEqual([]);
    expect(lab.run.lanes.map((lane) => lane.digest)).toEqual(before);
  });

  it.each([
    ['bfs-smt', 'bfs-smt&k=5&t=25'],
    ['', 'bfs-smt&k=5&t=25'],
    ['l1.1', 'bfs-smt&k=5&t=25'],
  ])('a link that is followed before the core is there is opened: after “%s”', async (at, to) => {
    const lab = closedLab();
    const started = lab.start(at, Promise.resolve());
    expect(lab.run.catalog).toBeNull();
    await lab.address.followHash(to);
    await started;
    expect(lab.places.at).toBeNull();
    expect(lab.run.nowNs).toBe(25_000_000);
    expect(lab.config?.scenario.groups[0]?.count).toBe(5);
  });

  it('opens as a link says: tab, lane for changes, spans and measures', async () => {
    const lab = await openLab('s.bfs-smt');
    await lab.playback.seek(50_000_000);
    lab.fork.editLane = 1;
    lab.selection.lane = 2;
    lab.selection.thread = 'dhry-3';
    lab.window.tab = 'values';
    lab.window.column = 'virtual deadline';
    lab.window.set(10_000_000, 40_000_000);
    lab.window.mark({ fromNs: 20_000_000, toNs: 25_000_000 });
    lab.answer.choose({ measure: 'longestWait', price: 'switches' });
    await lab.address.update();
    const again = await openLab(lab.address.fragment);
    expect(again.notices.list).toEqual([]);
    expect(again.address.page?.view).toEqual(lab.address.page?.view);
    expect(lab.address.page?.view).toMatchObject({
      lane: 2,
      thread: 'dhry-3',
      edit: 1,
      tab: 'values',
      value: 'virtual deadline',
      seen: { fromNs: 10_000_000, spanNs: 30_000_000 },
      sums: { fromNs: 20_000_000, toNs: 25_000_000 },
      measure: 'longestWait',
      price: 'switches',
    });
    // A link to a scenario as it opens leaves all of that out.
    const fresh = await openLab('s.bfs-smt');
    await fresh.address.update();
    expect(fresh.address.fragment).toBe('s.bfs-smt');
  });

  it('speeds up after the opening, unless the user chose a speed', async () => {
    const lab = await openLab('s.bfs-smt');
    const { playback } = lab;
    const [slow, fast, late] = [100_000_000, 10_000_000_000, 50_000_000];
    const opening = { atNs: 0, speed: slow, later: { atNs: late, speed: fast } };
    const given = { ...lab.config?.scenario, opening };
    const playsOn = async (begin: () => void) => {
      await lab.openScenario(given, '');
      expect(playback.speed).toBe(slow);
      begin();
      await playback.seek(late);
      playback.play();
      await vi.waitUntil(() => lab.run.nowNs > late);
      playback.pause();
      await idle(lab);
      return playback.speed;
    };
    expect(await playsOn(() => undefined)).toBe(fast);
    const chooses = () => {
      playback.setSpeed(slow / 2);
    };
    expect(await playsOn(chooses)).toBe(slow / 2);
  });
});
