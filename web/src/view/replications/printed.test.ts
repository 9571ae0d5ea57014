import { describe, expect, it } from 'vitest';
import { claimOf, measureOf } from './made-up';
import { claimsCsv, measureRows, numbersCsv, printedNumbers } from './printed';

describe('a measure', () => {
  it('has its interval beside it, and the bound in the words of the core', () => {
    expect(measureRows(measureOf())).toEqual([
      ['ULE / 4BSD, 100 processes', '0.996 ± 0.012', '1.00', 'published ± 0.08', 'holds'],
    ]);
  });
  it('has no number if it is not known, and no interval without spread', () => {
    const unknown = measureOf({ value: null, half: null, published: null, verdict: 'unavailable' });
    expect(measureRows(unknown)[0]?.slice(1, 3)).toEqual(['–', '–']);
    expect(measureRows(measureOf({ value: 3, half: 0 }))[0]?.[1]).toBe('3.00');
  });
  it('has a row for each other value of an assumption', () => {
    const band = [{ what: 'memory latency 80 ns', value: 1.2, verdict: 'fails' }] as const;
    const [, supposed] = measureRows(measureOf({ band, verdict: 'undecided' }));
    expect(supposed).toEqual(['with memory latency 80 ns', '1.20', '', '', 'fails']);
  });
});

describe('all numbers', () => {
  const claims = [
    claimOf(),
    claimOf({
      id: 'S4a',
      experiment: 'S4',
      source: 'H. Wong',
      measures: [],
      kind: 'verification',
      circular: 'The pair gain is from this page.',
    }),
  ];
  const row = { claim: 'S1a', source: 'S1', name: 'ULE / 4BSD, 100 processes' };
  const all = {
    numbers: [
      { ...row, published: 1, simulated: 0.996, relativeError: -0.004 },
      { ...row, source: 'S4', claim: 'S4a', published: 2, simulated: 2.5, relativeError: 0.25 },
      { ...row, source: 'S4', claim: 'S4a', published: 0, simulated: 1, relativeError: null },
    ],
    meanErrors: { S1: 0.004, S4: 0.25 },
  };
  it('are sorted by source, with their kind and circular inputs', () => {
    const [r, w] = printedNumbers(all, claims);
    expect(w).toMatchObject({ id: 'S4', source: 'H. Wong', mean: '25.0 %' });
    expect(w?.rows.map((n) => n.error)).toEqual(['+25.0 %', '–']);
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
      simulated: '0.996 ± 0.012',
      error: '−0.400 %',
    });
  });
  it('have all digits in files', () => {
    expect(numbersCsv(all, claims).split('\r\n')[1]).toBe(
      'S1,S1a,validation,,"ULE / 4BSD, 100 processes",1,0.996,-0.004',
    );
    expect(claimsCsv(claims).split('\r\n')[1]).toBe(
      'S1a,validation,holds,"ULE / 4BSD, 100 processes",0.996,0.0123,5,1,published ± 0.08,holds',
    );
  });
});
