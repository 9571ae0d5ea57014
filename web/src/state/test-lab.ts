/** A laboratory with the real core and no page around it, for tests. */
import { expect } from 'vitest';
import { TestWorker } from '../sim/test-worker';
import { Lab } from './lab.svelte';

/** Before anything is loaded. */
export function closedLab(): Lab {
  return new Lab(
    () => new TestWorker(),
    () => {
      throw new Error('nothing is swept');
    },
    () => {
      throw new Error('no lesson is opened');
    },
  );
}

/** The same with a link. */
export async function openedLab(fragment: string): Promise<Lab> {
  const lab = closedLab();
  await lab.start(fragment, Promise.resolve());
  expect(lab.trouble).toBeNull();
  return lab;
}

/** Waits until nothing plays and no request is open. */
export async function idle(lab: Lab): Promise<void> {
  for (let calm = 0; calm < 3; calm = lab.playback.isIdle ? calm + 1 : 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The moment that all lanes show: time and states. */
export const momentOf = (lab: Lab) => ({
  now: lab.run.nowNs,
  digests: lab.run.lanes.map((lane) => lane.digest),
});
