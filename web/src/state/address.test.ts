import { afterEach, expect, it, vi } from 'vitest';
import { addressOf, fragment, onFragment, replaceFragment } from '../browser/address-bar';
import { pack } from '../link/packing';
import { Superseded } from '../sim/client';
import { Address } from './address.svelte';
import { labOfWalks, settled, SMALL_FILE } from './test-lab';

afterEach(() => {
  vi.restoreAllMocks();
  replaceFragment('');
});

/** The parts of the laboratory that the address bar reads, at time 0. */
function labWith(lessons: { open: { fragment: string } | null }) {
  return {
    run: { lanes: [], nowNs: 0, position: null, catalog: null },
    config: { scenario: {}, baseId: 'bfs-smt' },
    look: { view: {} },
    answer: { choice: {}, own: { text: '' } },
    selection: { lane: 0, thread: null },
    window: { chosenTab: null, seen: null, marked: null },
    fork: { editLane: null },
    opened: null,
    playback: { isPlaying: false, speed: 1 },
    kept: { id: 'a1', tabId: 'a1' },
    places: { at: null, route: null },
    lessons,
    editing: { asked: [] },
  } as unknown as ConstructorParameters<typeof Address>[0];
}

it('keeps the lesson in the address when it begins while the link of its run is being packed', async () => {
  const lessons: { open: { fragment: string } | null } = { open: null };
  const address = new Address(labWith(lessons));
  vi.spyOn(address, 'fragmentOf').mockImplementation(() => {
    lessons.open = { fragment: 'l1' };
    return Promise.resolve('v=2&x=bfs-smt');
  });
  await address.update();
  expect(fragment()).toBe('l1');
});

it('follows the address of the event, whatever the page has written over it', () => {
  const follow = vi.fn();
  onFragment(follow);
  replaceFragment('v=2&x=bfs-smt&t=3');
  const newURL = addressOf('bfs-smt&k=9');
  dispatchEvent(Object.assign(new Event('hashchange'), { newURL }));
  expect(follow.mock.calls).toEqual([['bfs-smt&k=9']]);
});

it('names a change at once, also while time runs: a page that is loaded again would be without it', async () => {
  const lab = await labOfWalks('bfs-smt&k=3&t=5');
  lab.address.follow();
  await vi.waitFor(() => {
    expect(fragment()).toMatch(/groups\.dhry\.count=3/);
  });
  lab.playback.play();
  await lab.address.update();
  lab.editing.change({ set: 'groups.*.nice', to: 4 });
  await vi.waitFor(
    () => {
      expect(fragment()).toMatch(/groups\.\*\.nice=4@/);
    },
    { timeout: 2_000 },
  );
  expect(lab.playback.isPlaying).toBe(true);
  lab.playback.pause();
  await settled(lab);
});

it('opens the newest of the links that are followed, however long each takes', async () => {
  const lab = await labOfWalks('bfs-smt&k=3&t=5');
  const packed = await pack(SMALL_FILE);
  const all = [`v=1&z=${packed}`, 'l1.1', 'bfs-smt&k=7', `v=1&z=${packed}`, 'bfs-smt&k=8'];
  await Promise.all(all.map((to) => lab.address.followHash(to)));
  await settled(lab);
  expect(lab.lessons.open).toBeNull();
  expect(lab.config?.scenario.groups[0]?.count).toBe(8);
});

it('goes back while another link opens', async () => {
  const lab = await labOfWalks('bfs-smt&k=3&t=5');
  await lab.address.update();
  const before = lab.address.fragment;
  const opened = lab.address.followHash('bfs-smt&k=7');
  await lab.address.followHash(before);
  await opened;
  await settled(lab);
  expect(lab.config?.scenario.groups[0]?.count).toBe(3);
});

it('asks nothing of lanes that have left the page with a lesson', async () => {
  const lab = await labOfWalks('l1.1');
  const { run } = lab;
  expect(run.lanes.length).toBeGreaterThan(1);
  const opened = run.configure(JSON.parse(SMALL_FILE), 0);
  const asked = [run.moves(2), run.histogram(2, 'runDelay'), run.moves(0)];
  const answers = await Promise.allSettled(asked);
  await opened;
  for (const answer of answers)
    expect(answer).toMatchObject({ reason: expect.any(Superseded) as unknown });
});
