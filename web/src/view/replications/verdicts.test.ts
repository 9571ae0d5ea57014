import { describe, expect, it } from 'vitest';
import type { Evaluation } from '../../state/replication.svelte';
import { compare, RELEASED, tally } from './verdicts';

describe('verdicts', () => {
  it('are equal to themselves in every number', () => {
    const numbers = RELEASED.reduce((n, c) => n + c.measures.length, 0);
    expect(compare(RELEASED, RELEASED)).toEqual({ numbers, differing: [] });
  });

  it('differ by the last digit of one number', () => {
    const [first, ...rest] = structuredClone(RELEASED) as [Evaluation, ...Evaluation[]];
    const [measure, ...others] = first.measures;
    const value = (measure?.value ?? 0) * (1 + Number.EPSILON);
    const changed = { ...first, measures: [{ ...measure, value }, ...others] } as Evaluation;
    expect(compare([changed, ...rest], RELEASED).differing).toEqual([first.id]);
  });

  it('are counted in words', () => {
    const of = (verdict: string) => ({ verdict }) as Evaluation;
    expect(tally([of('holds'), of('fails')])).toBe('1 of 2 claims hold, 1 fails');
    expect(tally([of('fails'), of('fails')])).toBe('0 of 2 claims hold, 2 fail');
  });
});
