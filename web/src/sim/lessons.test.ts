/// <reference types="node" />
/** Runs lessons with the built package: their runs must give the values that they expect, as in the native tests of all. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lessonList } from './lesson/list';
import { LessonRun, lesson, lessons } from './pkg/sim_wasm';
import './test-core';
import type { LessonEntry } from './types/LessonEntry';
import type { LessonText } from './types/LessonText';
import type { Step } from './types/Step';
import type { StepView } from './types/StepView';

const entries = JSON.parse(lessons('en')) as LessonEntry[];

function textOf(id: string): LessonText {
  return JSON.parse(lesson(id, 'en')) as LessonText;
}

function viewOf(run: LessonRun, number: number, answer?: unknown): StepView {
  const given = answer === undefined ? undefined : JSON.stringify(answer);
  return JSON.parse(run.step(number, given)) as StepView;
}

/** The problem with a step. */
function wrongWith(step: Step, run: LessonRun, number: number): string[] {
  const view = viewOf(run, number);
  const wrong = view.missing ? ['the run has no such moment'] : [];
  if (view.truth !== null || view.say !== '') wrong.push('says something before the answer');
  if (step.kind === 'predict') {
    const answered = viewOf(run, number, step.expected);
    if (answered.right !== true)
      wrong.push(`expected ${String(step.expected)}, is ${String(answered.truth)}`);
    if (answered.say === '') wrong.push('says nothing of the answer');
  }
  if (step.kind === 'change') {
    const values = view.futures.map((future) => future.value ?? NaN);
    const isClose = (value: number, i: number) =>
      Math.abs(value - (values[i] ?? NaN)) <= 0.01 * Math.abs(value);
    if (values.length !== step.expected.length || !step.expected.every(isClose))
      wrong.push(`expected ${step.expected.join(', ')}, are ${values.join(', ')}`);
  }
  return wrong;
}

/** Minutes of 512 threads, which the native tests run. */
const LONG = 'l05-512';

describe('lessons', () => {
  it('exist, and an unknown one is refused with a list of them', () => {
    expect(entries.length).toBeGreaterThan(0);
    expect(() => lesson('nothing', 'en')).toThrow(/must be one of l01/);
    expect(() => new LessonRun('nothing', 'en', '{}')).toThrow(/must be one of l01/);
  });

  it('the list that the page reads equals the core’s', async () => {
    for (const language of ['en', 'de']) {
      const list = readFileSync(`${import.meta.dirname}/pkg/lessons-${language}.json`, 'utf8');
      expect(JSON.parse(list)).toEqual(JSON.parse(lessons(language)));
    }
    expect(lessons('de')).not.toBe(lessons('en'));
    expect(await lessonList()).toEqual(entries);
  });

  // Those with own policies need the second package; the nightly part `policies` runs them natively.
  const here = entries.filter(({ id, ownPolicies }) => id !== LONG && !ownPolicies);
  for (const entry of here) {
    it(`${entry.id} gives what it expects`, () => {
      const run = new LessonRun(entry.id, 'en', JSON.stringify(entry.scenario));
      const { steps } = textOf(entry.id).lesson;
      expect(entry.steps).toBe(steps.length + 1);
      const wrong = steps.flatMap((step, i) => wrongWith(step, run, i + 1));
      expect(wrong).toEqual([]);
      expect(viewOf(run, entry.steps).then).not.toContain('–');
      run.free();
    });
  }
});
