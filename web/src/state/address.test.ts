import { afterEach, expect, it, vi } from 'vitest';
import { fragment, replaceFragment } from '../browser/address-bar';
import { Address } from './address.svelte';

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
    answer: { choice: {} },
    selection: { lane: 0, thread: null },
    window: { chosenTab: null, seen: null, marked: null },
    editLane: null,
    opened: null,
    playback: { isPlaying: false, speed: 1 },
    kept: { id: 'a1' },
    places: { at: null, route: null },
    lessons,
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
