/** W in front of a class always has an answer. */
import { describe, expect, it } from 'vitest';
import type { Lab } from '../../state/lab.svelte';
import { lessonList } from '../../sim/lesson/list';
import { labOfWalks, openLab } from '../../state/test-lab';
import { loadTexts } from '../schedulers/folder';
import { askRefusals, heldOf, idleBesideWaiting } from '../machine/refusals';
import { askAgain, askThread, NOTHING } from './ask';
import { chainOf } from './chain';
import { sentence } from './reasons';

/** Presses W, and reads what the class reads. */
async function pressW(lab: Lab): Promise<string> {
  lab.prefs.isPresenting = true;
  expect(askAgain(lab)).toBe(true);
  const { asked } = lab.selection;
  const lane = asked && lab.run.lanes[asked.lane];
  if (!lane) throw new Error('no answer');
  const chain = await chainOf(lab.run, lane, await lab.run.explain(lane.index, asked.of));
  if (chain) return sentence(lane.scheduler, chain.main);
  return asked.key === NOTHING ? asked.title : '';
}

describe('W in front of a class, when no moment was announced', { timeout: 60_000 }, () => {
  it('explains the last move of the lane, and closes the answer', async () => {
    await loadTexts();
    const lab = await openLab('s.bfs-smt');
    await lab.playback.seek(200e6);
    const [lane] = lab.run.lanes;
    const jobs = lane?.history.moves.filter(({ task }) => !lane.isBackground(task)) ?? [];
    const last = jobs.at(-1);
    if (!lane || !last) throw new Error('nobody moved');
    expect(await pressW(lab)).toContain(lane.nameOf(last.task));
    expect(lab.selection).toMatchObject({ thread: lane.nameOf(last.task) });
    expect(lab.selection.asked?.key).toBe(`move ${String(last.seq)}`);
    expect(askAgain(lab)).toBe(true);
    // The thread of the answer was selected for the answer only: afterwards nobody is dimmed beside it.
    expect(lab.selection).toMatchObject({ asked: null, thread: null });
  });

  it('explains why the idle CPU takes nobody while the stage says so, and not the last move', async () => {
    await loadTexts();
    const lab = await openLab('s.bfs-smt');
    const [lesson] = await lessonList();
    expect(lesson && (await lab.openScenario(lesson.scenario, 'given'))).toBe(true);
    await lab.playback.seek(10_060_000_000);
    const [lane] = lab.run.lanes;
    if (!lane) throw new Error('no lane');
    const isBackground = (task: number) => lane.isBackground(task);
    const refusals = await askRefusals(lab.run, lane, idleBesideWaiting(lane.frame, isBackground));
    lab.moment.sees(lane.index, () => heldOf(refusals, lane.frame, isBackground));
    expect(await pressW(lab)).toMatch(/^cpu \d may not take a thread/);
    const { asked } = lab.selection;
    const chain = asked && (await chainOf(lab.run, lane, await lab.run.explain(0, asked.of)));
    // Who left the CPU idle, and whom it leaves waiting.
    expect(chain?.steps.map(({ head }) => head)).toEqual([
      'job-2 has finished on cpu 2.',
      'cpu 2 does not take job-9.',
    ]);
  });

  it('explains what the class sees, not an announced moment that is over', async () => {
    await loadTexts();
    const lab = await openLab('s.bfs-smt');
    await lab.playback.seek(200e6);
    const [lane] = lab.run.lanes;
    if (!lane) throw new Error('no lane');
    const asked = { ...askThread(lane, 0), isByKey: true };
    const announced = { text: '', asked, thread: lane.nameOf(0) };
    lab.speech.announced = { ...announced, atNs: 53e6 };
    await pressW(lab);
    expect(lab.selection.asked?.key).toMatch(/^move /);
    expect(askAgain(lab)).toBe(true);
    // After a step time stands where it happened.
    lab.speech.announced = { ...announced, atNs: lab.run.nowNs };
    await pressW(lab);
    expect(lab.selection.asked?.key).toBe(asked.key);
  });

  it.each(['s3-nice', 's4-dhrystone', 'queueing', 's0-v890', 's1-yield-storm'])(
    'explains something of each lane of %s as soon as it runs',
    async (id) => {
      await loadTexts();
      const lab = await openLab(`s.${id}`);
      await lab.playback.seek(Math.max(lab.run.nowNs, 200e6));
      for (const { index } of lab.run.lanes) {
        lab.selection.lane = index;
        lab.selection.asked = null;
        expect(await pressW(lab), `lane ${String(index)}`).toMatch(/\w.*\.$/s);
      }
    },
  );

  it('says what to press before the run begins, and that a lesson keeps the reasons', async () => {
    const lab = await openLab('s.bfs-smt');
    await lab.playback.seek(0);
    expect(await pressW(lab)).toBe('Nothing has been decided yet: press Space.');
    const lesson = await labOfWalks('l1.1');
    expect(await pressW(lesson)).toBe('Nothing has been decided yet.');
    const secret = await labOfWalks('l10.2');
    expect(secret.lessons.open?.isSecret).toBe(true);
    expect(await pressW(secret)).toMatch(/^The lesson tells the reasons/);
  });

  it('is silent where nothing is presented', async () => {
    const lab = await openLab('s.bfs-smt');
    await lab.playback.seek(200e6);
    expect(askAgain(lab)).toBe(false);
  });
});

/** What is asked about now; for the compiler, which takes the value that was set before. */
const askedOf = (lab: Lab) => lab.selection.asked;

describe('W at a desk, when no moment was announced', { timeout: 60_000 }, () => {
  it('explains what was decided last about the selected thread, in the lane where it is selected', async () => {
    await loadTexts();
    const lab = await openLab('s.bfs-smt');
    await lab.playback.seek(200e6);
    for (const lane of lab.run.lanes.slice(0, 2)) {
      const task = lane.jobs[2] ?? -1;
      lab.selection.asked = null;
      lab.selection.pick(lane.nameOf(task), lane.index);
      expect(askAgain(lab)).toBe(true);
      const asked = askedOf(lab);
      if (!asked) throw new Error('no answer');
      expect(asked).toMatchObject({ lane: lane.index, isByKey: true });
      expect(lab.prefs.inspectOpen).not.toBe(false);
      const { decision } = await lab.run.explain(asked.lane, asked.of);
      expect(decision?.taskName).toBe(lane.nameOf(task));
      expect(decision?.atNs).toBe(lane.history.placings.get(task)?.atNs);
    }
  });
});
