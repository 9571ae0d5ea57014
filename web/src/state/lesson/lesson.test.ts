import { beforeEach, describe, expect, it, vi } from 'vitest';
import { must } from '../../lib/assert';
import { TestLessonWorker } from '../../sim/lesson/test-worker';
import { TestWorker } from '../../sim/test-worker';
import { replaceFragment } from '../../browser/address-bar';
import { keepLesson, keptLessons } from '../../storage/lesson-answers';
import { Lab } from '../lab.svelte';
import { ofGroup } from '../test-lab';
import { lineOf } from './answer';
import type { LessonState } from './lesson.svelte';
import { DEFAULT_SPEED } from '../playback.svelte';
import { sheetCsv, sheetText } from './sheet';
import { kindOf, predictsOf } from './steps';

async function idle(lab: Lab): Promise<void> {
  const isIdle = () => lab.playback.isIdle && lab.lessons.isIdle;
  for (let calm = 0; calm < 4; calm = isIdle() ? calm + 1 : 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A laboratory whose lessons have a worker; nothing is open. */
const closedLab = () =>
  new Lab(
    () => new TestWorker(),
    () => {
      throw new Error('nothing is swept');
    },
    () => new TestLessonWorker(),
  );

async function opened(fragment: string): Promise<{ lab: Lab; lesson: LessonState }> {
  const lab = closedLab();
  lab.prefs.reducedMotion = true;
  await lab.start(fragment, Promise.resolve());
  await idle(lab);
  expect(lab.trouble).toBeNull();
  return { lab, lesson: must(lab.lessons.open, 'a lesson') };
}

/** Presses the large button from step to step, up to the first step of a kind. */
async function goTo(lab: Lab, lesson: LessonState, kind: string): Promise<void> {
  for (let i = 0; i < 20 && lesson.kind !== kind; i += 1) {
    if (lesson.kind === 'predict' && !lesson.isKept) {
      const { question } = must(
        predictsOf(lesson.lesson).find(({ number }) => number === lesson.step),
        'a question',
      );
      lesson.choose(question.type === 'order' ? question.items.map((_, n) => n + 1) : 2);
    }
    lesson.action.act();
    await idle(lab);
  }
  expect(lesson.kind).toBe(kind);
}

function forgetAll(): void {
  for (const id of keptLessons().keys()) keepLesson(id, null);
}

beforeEach(forgetAll);

describe('a lesson', { timeout: 60_000 }, () => {
  it('stands still until the guesses are kept', async () => {
    const { lab, lesson } = await opened('l1.1');
    expect(lesson.step).toBe(1);
    expect(lab.playback.isHeld).toBe(true);
    await lab.playback.seek(5e9);
    expect(lab.run.nowNs).toBe(0);
    lesson.move(1);
    expect(lesson.kind).toBe('predict');
    lesson.move(1);
    expect(lesson.kind).toBe('predict');
    expect(lesson.step).toBe(2);
    await goTo(lab, lesson, 'run');
    expect(lab.playback.isHeld).toBe(false);
    expect(lab.run.nowNs).toBeGreaterThan(0);
  });

  it('shows nothing of the run before the guess', async () => {
    const { lab, lesson } = await opened('l1.2');
    await idle(lab);
    const all = [lesson.words, lesson.view?.say, sheetText(lesson), lesson.fragment].join(' ');
    expect(all).not.toMatch(/15\.[67]/);
    const [predict] = lesson.predicts;
    expect(
      lineOf(must(predict, 'a question'), null, lesson.revealed(must(predict, 'it'))),
    ).toMatchObject({
      truth: { amount: { number: '–' } },
      guess: null,
    });
  });

  it('shows both numbers and their difference after the run', async () => {
    const { lab, lesson } = await opened('l1.1');
    await goTo(lab, lesson, 'explain');
    const [predict] = lesson.predicts;
    const line = lineOf(must(predict, 'a question'), 2, lesson.revealed(must(predict, 'it')));
    expect(line.guess?.amount).toEqual({ number: '11.3', unit: 's' });
    const truth = Number(line.truth.amount.number);
    expect(truth).toBeGreaterThan(15);
    expect(truth).toBeLessThan(16.5);
    expect(line.difference?.amount.number).toBe(`+${(truth - 11.3).toFixed(1)}`);
    expect(lesson.revealed(must(predict, 'it'))?.say).toContain('15.7');
    expect(lab.run.nowNs).toBe(lesson.view?.point?.atNs);
    lesson.move(-1);
    lesson.move(-1);
    await idle(lab);
    expect(lesson.answerAt(2)).toBe(2);
  });

  it('slows down at its stop, and who plays on comes back to the speed before', async () => {
    const { lab, lesson } = await opened('l1.1');
    await goTo(lab, lesson, 'run');
    await lab.playback.seek(0);
    lab.prefs.reducedMotion = false;
    await lesson.stage.play();
    const { speed } = lab.playback;
    await lab.playback.seek(lesson.view?.point?.atNs ?? 0);
    await idle(lab);
    expect(lab.playback.isPlaying).toBe(false);
    expect(lab.playback.speed).toBe(DEFAULT_SPEED);
    expect(speed).toBeGreaterThan(DEFAULT_SPEED);
    lab.playback.play();
    await vi.waitFor(
      () => {
        expect(lab.playback.speed).toBe(speed);
      },
      { timeout: 20_000 },
    );
    lab.playback.pause();
  });

  it('computes its words again when a slider of the lesson is moved', async () => {
    const { lab, lesson } = await opened('l1.1');
    await goTo(lab, lesson, 'explain');
    const said = () => must(lesson.said[0], 'what is said').say;
    const before = said();
    lab.editing.change(ofGroup(lab, 0, 'count', 12));
    await idle(lab);
    expect(lesson.stage.hasLeft).toBe(false);
    expect(lesson.stage.own).not.toBe(lesson.entry.scenario);
    expect(said()).not.toBe(before);
  });

  it('keeps answers on this device, and asks for the guess first where a link leads further', async () => {
    const first = await opened('l1.1');
    await goTo(first.lab, first.lesson, 'run');
    const again = await opened('l1.5');
    expect(again.lesson.step).toBe(5);
    expect(again.lesson.answerAt(2)).toBe(2);
    forgetAll();
    const other = await opened('l1.6');
    expect(kindOf(other.lesson.lesson, other.lesson.step)).toBe('predict');
    await goTo(other.lab, other.lesson, 'explain');
    expect(other.lesson.step).toBe(6);
    expect(other.lesson.fragment).toBe('l1.6');
  });

  it('keeps answers in the page where the browser refuses them, says so, and writes them when it can', async () => {
    const { lab, lesson } = await opened('l1.1');
    const full = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    vi.stubGlobal('localStorage', { getItem: () => null, setItem: full });
    await goTo(lab, lesson, 'run');
    const sentences = () => lab.notices.list.filter(({ text }) => text.includes('your answers'));
    expect(sentences()).toHaveLength(1);
    expect(lab.kept.saveAnswers).not.toBeNull();
    // Answers of another lesson do not take their place.
    await lab.address.go('l2.1');
    await idle(lab);
    await lab.address.go('l1.3');
    await idle(lab);
    expect(lab.lessons.open?.answerAt(2)).toBe(2);
    expect(keptLessons().size).toBe(0);
    await lab.kept.retry();
    expect(sentences()).not.toEqual([]);
    vi.unstubAllGlobals();
    await lab.kept.retry();
    expect(sentences()).toEqual([]);
    expect(lab.kept.saveAnswers).toBeNull();
    expect(keptLessons().get(lesson.entry.id)?.answers).toMatchObject(
      Object.fromEntries(lesson.answers),
    );
  });

  it('in a page around it reads no answers of this device, and writes none', async () => {
    keepLesson('l1-one-too-many', { answers: {}, step: 1, isDone: true, at: 1 });
    const before = keptLessons();
    vi.stubGlobal('parent', {});
    replaceFragment('l1.1&embed=1');
    const { lab, lesson } = await opened('l1.1&embed=1');
    expect(lab.kept.lessons.size).toBe(0);
    await goTo(lab, lesson, 'run');
    expect(lab.kept.lessons.get(lesson.entry.id)?.step).toBe(lesson.step);
    vi.unstubAllGlobals();
    replaceFragment('');
    expect(keptLessons()).toEqual(before);
  });

  it('shows the answers of a link without keeping them', async () => {
    const { lesson } = await opened('l1.5&a=2.3~3.2_3_4_1~5.2');
    expect(lesson.view?.right).not.toBeNull();
    expect(lesson.step).toBe(5);
    expect(lesson.answerAt(3)).toEqual([2, 3, 4, 1]);
    expect(lesson.fragment).toBe('l1.5&a=2.3~3.2_3_4_1~5.2');
    expect(keptLessons().size).toBe(0);
  });

  it('obeys the letters of a teacher', async () => {
    const { lab, lesson } = await opened('l1.4&teach=pn4');
    expect(lesson.step).toBe(4);
    expect(lesson.steps).toBe(4);
    expect(lab.playback.isHeld).toBe(false);
    const locked = await opened('l1.1&teach=l');
    expect(locked.lab.look.isLocked).toBe(true);
  });

  it('makes a change beside the lane that it is about, and goes back', async () => {
    const { lab, lesson } = await opened('l1.1');
    await goTo(lab, lesson, 'change');
    const own = lab.config?.scenario;
    await lesson.stage.change();
    await idle(lab);
    expect(lab.run.lanes.map(({ scheduler }) => scheduler)).toEqual(['ule', 'ule']);
    expect(lesson.stage.hasLeft).toBe(false);
    expect(lesson.view?.futures.map(({ value }) => value?.toFixed(2))).toHaveLength(3);
    // Where there is room for one lane it is the changed one, which no guess was about.
    expect(lab.selection.lane).toBe(1);
    expect([0, 1].map((lane) => lesson.stage.ownLane(lane))).toEqual([0, null]);
    lesson.move(1);
    await idle(lab);
    expect(lab.run.lanes[lab.selection.lane]?.scheduler).toBe('bfs');
    expect(lab.run.lanes).toHaveLength(4);
    expect(lab.config?.scenario.schedulers).toEqual(own?.schedulers);
  });

  it('says when the learner has left it, and goes back', async () => {
    const { lab, lesson } = await opened('l1.1');
    await goTo(lab, lesson, 'run');
    await lab.fork.make();
    const three = must(lab.config, 'a scenario').scenario;
    await lab.editing.runInstead({ ...three, schedulers: three.schedulers.slice(0, 3) }, three, 0);
    await idle(lab);
    expect(lesson.stage.hasLeft).toBe(true);
    await lesson.stage.goBack();
    await idle(lab);
    expect(lesson.stage.hasLeft).toBe(false);
  });

  it('leaves the page as a table of its own columns', async () => {
    const { lab, lesson } = await opened('l1.1');
    await goTo(lab, lesson, 'sheet');
    const [head, first] = sheetCsv(lesson, 'aa-bb', '').split('\r\n');
    expect(head).toBe(
      'lesson,version,step,question,answer,truth,right,seconds,digest,seed,changes',
    );
    expect(first).toMatch(/^l01-one-too-many,1,2,p1,2,3,false,\d+,aa-bb,1,$/);
  });

  it('with an unknown number does not open', async () => {
    const lab = closedLab();
    await lab.start('l99.1', Promise.resolve());
    expect(lab.lessons.open).toBeNull();
    expect(lab.places.isStart).toBe(true);
    expect(lab.notices.list.at(-1)?.text).toContain('There is no lesson 99.');
  });

  it('a lesson keeps its number where the one before it cannot run', async () => {
    const lab = closedLab();
    await lab.start('l15.1', Promise.resolve());
    expect(lab.run.withheld).toEqual([14]);
    expect(lab.lessons.open?.entry).toMatchObject({ id: 'l15-container', number: 15 });
    expect(lab.lessons.last).toBe(15);
  });
});
