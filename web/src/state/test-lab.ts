/** A laboratory with the real core and no page around it: for tests of the state. */
import type { LessonRequest } from '../sim/lesson/protocol';
import { TestLessonWorker } from '../sim/lesson/test-worker';
import { TestWorker } from '../sim/test-worker';
import type { Scenario } from '../sim/types/Scenario';
import { toSetGroup } from './editing/change';
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

/** The change of a field of a group, by its position; of all groups without one. */
export const ofGroup = ({ config }: Lab, group: number | null, field: string, to: unknown) =>
  toSetGroup(config?.scenario as Scenario, group, field, to);

/** The moment that all lanes show: time and states. */
export const momentOf = (lab: Lab) => ({
  now: lab.run.nowNs,
  digests: lab.run.lanes.map((lane) => lane.digest),
});

/** A lesson whose runs are never computed: only its words are needed. */
class WordsOnly extends TestLessonWorker {
  override postMessage(request: LessonRequest): void {
    if (request.kind === 'text') super.postMessage(request);
  }
}

/** A laboratory that many things are opened in, lessons too; with the link of a fragment open. */
export async function labOfWalks(fragment: string): Promise<Lab> {
  const lab = new Lab(
    () => new TestWorker(),
    () => {
      throw new Error('nothing is swept');
    },
    () => new WordsOnly(),
  );
  await lab.start(fragment, Promise.resolve());
  return lab;
}

/** Waits until nothing is under way but what a lesson would compute. */
export async function settled(lab: Lab): Promise<void> {
  const isBusy = () => !lab.playback.isIdle || lab.lessons.isOpening || lab.kept.isWriting;
  for (let calm = 0; calm < 3; calm = isBusy() ? 0 : calm + 1)
    await new Promise((resolve) => setTimeout(resolve, 1));
}

/** A scenario as the text of a file. */
export const SMALL_FILE = JSON.stringify({
  version: 1,
  name: 'From a file',
  machine: 'i7860',
  schedulers: [{ id: 'bfs' }, { id: 'cfs' }],
  groups: [
    { name: 'a', count: 2, behaviour: { kind: 'dhrystone' } },
    { name: 'b', count: 1, behaviour: { kind: 'dhrystone' } },
  ],
  end: { atNs: 1_000_000_000 },
});
