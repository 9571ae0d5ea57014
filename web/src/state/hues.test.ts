import { expect, it } from 'vitest';
import { type ThreadHue, taskHue } from '../lib/thread-hues';
import type { Tally } from '../sim/recent';
import { Hues } from './hues.svelte';
import type { LaneState } from './lane.svelte';

const THREADS = 20;
const tasks = Array.from({ length: THREADS }, (_, i) => `hog-${String(i + 1)}`);

function laneOf(): LaneState {
  const names = {
    tasks,
    groups: [{ name: 'hog', background: false }],
    taskGroup: tasks.map(() => 0),
  };
  const idOf = new Map(tasks.map((name, id) => [name, id]));
  return { index: 0, names, idOf, isBackground: () => false } as unknown as LaneState;
}

/** A second in which some threads had a CPU and moved. */
const second = (toNs: number, who: readonly number[]) =>
  ({
    fromNs: toNs - 1e9,
    toNs,
    had: [new Map(who.map((task) => [task, 1e8]))],
    movesOf: new Map(who.map((task, i) => [task, 1 + i])),
  }) as unknown as Tally;

/** The colours after these reports, a picture apart. */
function coloursAfter(...tallies: readonly Tally[]): ThreadHue[] {
  const lane = laneOf();
  const hues = new Hues();
  tallies.forEach((tally, i) => {
    hues.report(lane, [lane], tally, i * 16);
  });
  return tasks.map((_, task) => taskHue(lane.names, task));
}

it('a moment has the same colours, however often it was drawn and whatever was drawn before a jump', () => {
  const here = second(60e9, [3, 4, 5]);
  const once = coloursAfter(here);
  expect(new Set(once.map(({ fill }) => fill)).size).toBeGreaterThan(3);
  expect(coloursAfter(here, here, here)).toEqual(once);
  expect(coloursAfter(second(2e9, [7, 8, 9, 10, 11, 12]), here)).toEqual(once);
});

it('while time runs a thread keeps its colour for some seconds', () => {
  const first = coloursAfter(second(60e9, [3]));
  const later = coloursAfter(second(60e9, [3]), second(60.1e9, [5, 6]));
  expect(later[3]).toEqual(first[3]);
  expect(later[5]).not.toEqual(first[5]);
});
