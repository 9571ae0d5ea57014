import { describe, expect, it } from 'vitest';
import { claimOf, measureOf } from './made-up';
import { claimsCsv, measureCells, numbersCsv, printedNumbers } from './printed';

describe('a measure', () => {
  it('has its interval beside it, and the bound in the words of the core', () => {
    expect(measureCells(measureOf())).toEqual([
      'ULE / 4BSD, 100 processes',
      '1.00 ± 0.01',
      '1.00',
      'published ± 0.08',
      'holds',
    ]);
  });
  it('that is not known has no number, and one without spread has no interval', () => {
    const unknown = measureOf({ value: null, half: null, published: null, verdict: 'unavailable' });
    expect(measureCells(unknown).slice(1, 3)).toEqual(['–', '–']);
    expect(measureCells(measureOf({ value: 3, half: 0 }))[1]).toBe('3.00');
  });
});

describe('all numbers', () => {
  const claims = [
    claimOf(),
    claimOf({ id: 'S4a', kind: 'verification', circular: 'The pair gain is from this page.' }),
  ];
  const row = { claim: 'S1a', source: 'R', name: 'ULE / 4BSD, 100 processes' };
  const all = {
    numbers: [
      { ...row, published: 1, simulated: 0.996, relativeError: -0.004 },
      { ...row, source: 'W', claim: 'S4a', published: 2, simulated: 2.5, relativeError: 0.25 },
    ],
    sources: [
      { source: 'W', n: 1, meanRelativeError: 0.25 },
      { source: 'R', n: 2, meanRelativeError: 0.004 },
    ],
  };
  it('stand by source, with kind and what is circular', () => {
    const [w, r] = printedNumbers(all, claims);
    expect(w).toMatchObject({ source: 'W', mean: '25.0 % over 1 number' });
    expect(w?.rows[0]).toMatchObject({
      kind: 'verification',
      circular: 'The pair gain is from this page.',
      error: '+25.0 %',
    });
    expect(r?.rows[0]).toEqual({
      claim: 'S1a',
      kind: 'validation',
      circular: '',
      name: 'ULE / 4BSD, 100 processes',
      published: '1.00',
      simulated: '1.00 ± 0.01',
      error: '−0.4 %',
    });
  });
  it('have all their digits in files', () => {
    expect(numbersCsv(all, claims).split('\r\n')[1]).toBe(
      'R,S1a,validation,,"ULE / 4BSD, 100 processes",1,0.996,-0.004',
    );
    expect(claimsCsv(claims).split('\r\n')[1]).toBe(
      'S1a,validation,holds,"ULE / 4BSD, 100 processes",0.996,0.0123,5,1,published ± 0.08,holds',
    );
  });
});
