import { describe, expect, it } from 'vitest';
import type { Lesson } from '../../sim/types/Lesson';
import type { Scenario } from '../../sim/types/Scenario';
import type { Step } from '../../sim/types/Step';
import { hasLeft } from './left';
import { numberOf, pairsOf, timeOptions } from './marks';
import { differenceOf, nsOf, valueOf } from './quantity';
import {
  firstOpen,
  holds,
  isRevealed,
  nameAfter,
  nameOfStep,
  predictsAt,
  stepsOf,
  withoutNumbers,
} from './steps';

const predict = (id: string): Step => ({
  kind: 'predict',
  id,
  ask: 'How long?',
  answer: { type: 'choice', options: ['a', 'b'] },
  truth: '1',
  expected: 1,
  feedback: [],
});
const run: Step = { kind: 'run', text: '', otherwise: '' };
const explain: Step = { kind: 'explain', text: 'So.', otherwise: '' };

function lessonOf(...steps: Step[]): Lesson {
  return {
    format: 1,
    id: 'x',
    title: 'X',
    level: 1,
    minutes: 1,
    goal: '',
    misconception: '',
    scenario: 'x',
    laneLabels: [],
    runs: {},
    sweeps: {},
    steps,
    transfer: { ask: '', answer: '' },
    teacher: { ask: '', surprise: '', time: '' },
  };
}

/** Situation, two questions, a run, what it shows, another question, another run. */
const lesson = lessonOf(
  { kind: 'situation', text: 'There is a machine.' },
  predict('p1'),
  predict('p2'),
  run,
  explain,
  predict('p3'),
  run,
  explain,
);
const having =
  (...ids: readonly string[]) =>
  (id: string) =>
    ids.includes(id);

describe('the way through a lesson', () => {
  it('ends with the transfer and the sheet', () => {
    expect(stepsOf(lesson)).toBe(10);
    expect([1, 2, 9, 10].map((n) => nameOfStep(lesson, n))).toEqual([
      'Situation',
      'Predict',
      'Elsewhere',
      'Your answers',
    ]);
  });

  it('names what comes next, and does not name a step of the same kind like the one before it', () => {
    expect([1, 2, 3, 4].map((n) => nameAfter(lesson, n))).toEqual([
      'Predict',
      'More',
      'Run',
      'Explain',
    ]);
    expect(nameAfter(lessonOf(explain, explain), 1)).toBe('More');
  });

  it('is open up to the first unanswered question', () => {
    expect(firstOpen(lesson, 10, having())?.id).toBe('p1');
    expect(firstOpen(lesson, 10, having('p1'))?.id).toBe('p2');
    expect(firstOpen(lesson, 5, having('p1', 'p2'))).toBeNull();
  });

  it.each([
    [1, [], true],
    [3, ['p1'], true],
    [4, ['p1', 'p2'], false],
    [5, ['p1', 'p2'], false],
    [6, ['p1', 'p2'], true],
    [7, ['p1', 'p2', 'p3'], false],
    [1, ['p1', 'p2', 'p3'], false],
  ] as const)('holds time at step %i with %j: %s', (at, ids, is) => {
    expect(holds(lesson, at, having(...ids))).toBe(is);
  });

  it.each([
    [1, true],
    [2, true],
    [3, true],
    [4, false],
    [6, true],
    [7, false],
  ] as const)('holds time at step %i until its guess is skipped: %s', (at, is) => {
    expect(holds(lesson, at, having(), true)).toBe(is);
  });

  it.each([
    [2, 2, false],
    [2, 3, false],
    [2, 4, false],
    [2, 5, true],
    [6, 7, false],
    [6, 8, true],
  ] as const)('tells of question %i at step %i: %s', (of, at, is) => {
    expect(isRevealed(lesson, of, at)).toBe(is);
  });

  it('answers a question only after both of two runs in a row', () => {
    const two = lessonOf(predict('p1'), run, run, explain);
    expect([2, 3, 4].map((at) => isRevealed(two, 1, at))).toEqual([false, false, true]);
    const none = lessonOf(predict('p1'), explain);
    expect(isRevealed(none, 1, 2)).toBe(true);
  });

  it('is about the questions of the last run', () => {
    const idsAt = (at: number) => predictsAt(lesson, at).map(({ id }) => id);
    expect(idsAt(1)).toEqual([]);
    expect(idsAt(2)).toEqual(['p1']);
    expect(idsAt(5)).toEqual(['p1', 'p2']);
    expect(idsAt(8)).toEqual(['p3']);
  });

  it('shows no numbers before the run is known', () => {
    expect(withoutNumbers('At {moment(1, x):s.3} and {exit(1, last):s}.')).toBe('At … and ….');
  });
});

describe('numbers', () => {
  it('of options are those that the lesson gives, whatever the texts say', () => {
    const options = ['etwa 10 s', 'nach elf', 'nie'];
    const asked = (unit: string) => ({
      number: 2,
      id: 'p1',
      ask: '',
      truth: '',
      question: { type: 'choice' as const, options, unit, values: [10, 11.3, null] },
    });
    expect(timeOptions(asked('s'))).toEqual([
      { number: 1, ns: 10e9 },
      { number: 2, ns: 11.3e9 },
    ]);
    expect(timeOptions(asked('ms'))).toEqual([]);
    expect(numberOf(asked('ms'), 2)).toEqual({ value: 11.3, unit: 'ms' });
    expect(numberOf(asked('s'), 3)).toBeNull();
  });

  it('have three digits and their unit', () => {
    expect(valueOf(15.731, 's')).toEqual({ number: '15.7', unit: 's' });
    expect(valueOf(0.8043, 'us')).toEqual({ number: '0.80', unit: 'µs' });
    expect(valueOf(4317, 'ms')).toEqual({ number: '4\u202f317', unit: 'ms' });
    expect(valueOf(null, 's').number).toBe('–');
    expect(nsOf(11.3, 's')).toBe(11.3e9);
    expect(nsOf(11.3, '%')).toBeNull();
  });

  it('agree with their difference as they are shown', () => {
    expect(differenceOf(15.731, 11.3, 's')).toEqual({ number: '+4.4', unit: 's' });
    expect(differenceOf(50.1, 90, '%')).toEqual({ number: '−39.9', unit: 'points' });
    expect(differenceOf(2, 2, 's').number).toBe('0');
  });

  it('of orders are pairs', () => {
    expect(pairsOf([1, 2, 3, 4], [2, 3, 4, 1])).toEqual({ right: 3, all: 6 });
    expect(pairsOf([2, 3, 1], [2, 3, 1])).toEqual({ right: 3, all: 3 });
  });
});

describe('a lesson is left', () => {
  const own = {
    machine: 'mc1',
    schedulers: [{ id: 'ule', tunables: {} }],
    groups: [{ name: 'job', count: 9, nice: 0 }],
    timing: {},
    edits: [{ atNs: 5, set: { 'groups.*.allowed': null } }],
  } as unknown as Scenario;
  it.each([
    ['the number of jobs', { groups: [{ ...own.groups[0], count: 12 }] }, false],
    ['a tunable', { schedulers: [{ id: 'ule', tunables: { slice: 2 } }] }, false],
    [
      'a slider while it runs',
      { edits: [...own.edits, { atNs: 9, set: { 'groups.job.count': '+1' } }] },
      false,
    ],
    ['the seed', { seed: 7 }, false],
    ['a scheduler', { schedulers: [{ id: 'bfs', tunables: {} }] }, true],
    ['the machine', { machine: 'k8x4' }, true],
    ['another group', { groups: [...own.groups, { name: 'more' }] }, true],
    [
      'a pinned thread',
      { edits: [...own.edits, { atNs: 9, set: { 'groups.job.allowed': [1] } }] },
      true,
    ],
  ])('by %s: %o', (_, change, is) => {
    expect(hasLeft({ ...own, ...change } as Scenario, own)).toBe(is);
  });
});
