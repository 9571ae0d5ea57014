import { describe, expect, it } from 'vitest';
import RELEASED from '../../../../scenarios/verdicts.json';
import type { Verdict } from '../../state/replications/replication.svelte';
import { claimOf, measureOf } from './made-up';
import { PAGES } from './experiments';
import { compare, firstSentence, holdsOf, judgement, sentence, tally } from './verdicts';
import { whyOf } from './whys';

const of = (verdict: Verdict, id: string = verdict, more = {}) =>
  claimOf({ id, verdict, found: `found ${id}`, suspected: `because ${id}`, ...more });

describe('a page in words', () => {
  const words = (...all: Verdict[]) => judgement(all.map((v, i) => of(v, String(i)))).words;
  it.each([
    [['holds', 'holds'], 'reproduced'],
    [['holds', 'fails', 'undecided', 'holds', 'holds'], 'reproduced in part: 3 of 5'],
    [['fails', 'undecided'], 'not reproduced'],
    [['undecided'], 'undecided'],
    [['unavailable'], 'undecided'],
    [['holds', 'unavailable'], 'reproduced'],
    [[], 'undecided'],
  ] as const)('%j: %s', (verdicts, said) => {
    expect(words(...verdicts)).toBe(said);
  });
  it('has the result of the deciding claim, and the reason', () => {
    const said = judgement([of('holds'), of('undecided'), of('fails')]);
    expect(said).toMatchObject({ claim: 'fails', found: 'Found fails.', why: 'Because fails.' });
    expect(judgement([of('holds')])).toMatchObject({ found: 'Found holds.', why: '' });
  });
  it('is made of whole sentences', () => {
    expect(['', 'a b', 'Is it?', 'A b.'].map(sentence)).toEqual(['', 'A b.', 'Is it?', 'A b.']);
    expect(firstSentence('The L2 holds 9.5 KiB. It is not known.')).toBe('The L2 holds 9.5 KiB.');
  });
});

describe('verdicts', () => {
  const all = [of('holds', 'a'), of('fails', 'b')];
  it('are equal to themselves in every number', () => {
    expect(compare(all, all)).toEqual({ numbers: 2, differing: [] });
    expect(compare(all, [])).toEqual({ numbers: 0, differing: [] });
  });
  it('differ if the last digit of one number or of one interval differs', () => {
    const value = 0.996 * (1 + Number.EPSILON);
    const other = of('holds', 'a', { measures: [measureOf({ value })] });
    const wider = of('fails', 'b', { measures: [measureOf({ half: 0.1 })] });
    expect(compare([other, wider], all).differing).toEqual(['a', 'b']);
  });
  it('are counted in words', () => {
    expect(tally([of('holds'), of('fails')])).toBe('1 of 2 claims hold, 1 fails');
    expect(tally([of('fails'), of('fails'), of('undecided'), of('unavailable')])).toBe(
      '0 of 4 claims hold, 2 fail, 1 undecided, 1 not evaluated yet',
    );
  });
});

describe('the verdicts of this release', () => {
  const words = (text: string) =>
    text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;
  it('give the reason of each claim that does not hold in one sentence of at most 20 words', () => {
    const failing = RELEASED.claims.filter((claim) => claim.verdict !== 'holds');
    expect(failing.length).toBeGreaterThan(0);
    const wrong = failing.filter(({ id }) => whyOf(id) === '' || words(whyOf(id)) > 20);
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });
  it('teach one sentence of at most 20 words on each page', () => {
    expect(PAGES.filter(({ learnt }) => words(learnt) > 20)).toEqual([]);
  });
  it('are counted without those that are not judged', () => {
    expect(holdsOf([of('holds'), of('fails'), of('undecided'), of('unavailable')])).toEqual({
      hold: 1,
      of: 3,
    });
  });
});
