import { describe, expect, it } from 'vitest';
import { packAnswers, unpackAnswers } from './lesson-answers';
import { NO_TEACH, readLesson, writeLesson } from './lesson-place';

describe('links of lessons', () => {
  it.each(['l1.5', 'l10.12', 'l2.3&teach=phln4s', 'l1.9&a=2.3~3.2_4_3_1~5.-he%20waits'])(
    'are the same after reading and writing: %s',
    (text) => {
      const place = readLesson(`#${text}`);
      expect(place && writeLesson(place)).toBe(text);
    },
  );
  it.each(['', 's.bfs-smt', 'lesson', 'l', 'l1.5x', 'v=2&x=l1'])('are nothing else: %s', (text) => {
    expect(readLesson(text)).toBeNull();
  });
  it('begin at the first step', () => {
    expect(readLesson('l3')).toEqual({
      kind: 'lesson',
      number: 3,
      step: 1,
      teach: NO_TEACH,
      answers: new Map(),
    });
    expect(readLesson('l3.0')?.step).toBe(1);
  });
  it('are short enough to be read across a room', () => {
    const host = 'https://timeslice.edu/';
    expect(`${host}#l10.12`.length).toBeLessThanOrEqual(40);
  });
});

describe('answers in a link', () => {
  it('come back unchanged', () => {
    const answers = new Map<number, number | string | number[]>([
      [2, 3],
      [3, [2, 4, 3, 1]],
      [4, 11.25],
      [5, [0.8, 0.8, 2.5]],
      [6, 'two jobs wait, one is idle'],
      [7, -3],
      [8, '3'],
    ]);
    expect(unpackAnswers(packAnswers(answers))).toEqual(answers);
  });
  it('are left out where they make no sense', () => {
    expect(unpackAnswers('2.x~3.1_2_~zz~4.1e99~999.1~5.2')).toEqual(new Map([[5, 2]]));
  });
  it('of any length are read quickly', () => {
    expect(unpackAnswers('2.1~'.repeat(100_000)).size).toBe(1);
  });
});
