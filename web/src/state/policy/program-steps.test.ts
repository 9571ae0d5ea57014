import { describe, expect, it } from 'vitest';
import type { DecisionView } from '../../sim/types/DecisionView';
import { executedUpTo, ProgramSteps, stepsOf, wordsOf } from './program-steps.svelte';

const CALLS: NonNullable<DecisionView['calls']> = [
  {
    call: 'ran(hog-1, 300)',
    answer: 'None',
    steps: [{ line: 5, values: [['hog-1.used', '300']] }],
  },
  {
    call: 'pick(cpu 0)',
    answer: 'hog-2',
    steps: [
      { line: 9, values: [] },
      { line: 10, values: [['t', 'hog-1']] },
      { line: 10, values: [['t', 'hog-2']] },
      { line: 12, values: [] },
    ],
  },
];
const decision = { id: 7, calls: CALLS } as unknown as DecisionView;
const STRIDE = { era: 'stride' };

describe('executed lines', () => {
  it('are those of all calls, with the answer at the last line of each', () => {
    const all = stepsOf(decision);
    expect(all.map(({ line }) => line)).toEqual([5, 9, 10, 10, 12]);
    expect(all.map(wordsOf)).toEqual([
      'hog-1.used = 300, → None',
      '',
      't = hog-1',
      't = hog-2',
      '→ hog-2',
    ]);
  });

  it('show each time that a line was executed up to a step, and none after it', () => {
    const all = stepsOf(decision);
    expect(executedUpTo(all, 2)).toEqual([
      { line: 5, turns: ['hog-1.used = 300, → None'], isCurrent: false },
      { line: 9, turns: [], isCurrent: false },
      { line: 10, turns: ['t = hog-1'], isCurrent: true },
    ]);
    expect(executedUpTo(all, 4).find(({ line }) => line === 10)?.turns).toHaveLength(2);
    expect(executedUpTo([], 0)).toEqual([]);
  });

  it('are gone through forwards and backwards, and no further', () => {
    const steps = new ProgramSteps();
    expect(steps.step).toBeNull();
    steps.show(1, decision, STRIDE);
    expect(steps.of(0, STRIDE)).toBeNull();
    expect(steps.of(1, STRIDE)).toBe(decision);
    steps.go(-3);
    expect(steps.step?.line).toBe(5);
    steps.go(steps.at + 3);
    expect(steps.step?.values).toEqual([['t', 'hog-2']]);
    steps.go(99);
    expect([steps.at, steps.step?.answer]).toEqual([4, 'hog-2']);
    steps.go(steps.at - 1);
    expect(steps.step?.line).toBe(10);
    // The same decision again stays where it is, another one begins.
    steps.show(1, decision, STRIDE);
    expect(steps.at).toBe(3);
    steps.show(1, { ...decision, id: 8 }, STRIDE);
    expect(steps.at).toBe(0);
    steps.show(1, { ...decision, calls: [] }, STRIDE);
    expect(steps.of(1, STRIDE)).toBeNull();
  });

  it('are not shown beside another program than their own, as after undo', () => {
    const steps = new ProgramSteps();
    const mine = { program: 'def pick(cpu):\n    return cpu.waiting[0]\n' };
    steps.show(1, decision, mine);
    expect(steps.of(1, { ...mine })).toBe(decision);
    expect(steps.of(1, STRIDE)).toBeNull();
    expect(steps.of(1, { program: `${mine.program}\n` })).toBeNull();
  });
});
