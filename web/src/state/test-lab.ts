/** A laboratory with the real core and no page around it: for tests of the state. */
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

/** With the link of a fragment open. */
export async function openLab(fragment: string): Promise<Lab> {
  const lab = closedLab();
  await lab.start(fragment, Promise.resolve());
  if (lab.trouble) throw new Error(lab.trouble.what);
  return lab;
}

/** Waits until nothing plays, no request is open, and nothing is to be drawn. */
export async function idle(lab: Lab): Promise<void> {
  for (let calm = 0; calm < 3; calm = lab.playback.isIdle ? calm + 1 : 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The moment that all lanes show: time and states. */
export const momentOf = (lab: Lab) => ({
  now: lab.run.nowNs,
  digests: lab.run.lanes.map((lane) => lane.digest),
});
