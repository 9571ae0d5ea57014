import { describe, expect, it } from 'vitest';
import { readRoute, writeRoute } from './route';

describe('links to the replications', () => {
  it.each([
    'r=',
    'r=s1',
    'r=s0-v890&seeds=3&if=2',
    'r=s0-v890&if=no-balancer',
    'r=claims',
    'r=numbers',
    'r=sweep&over=count.0&from=1&to=8&y=x&on=v%3D2%26x%3Ds1',
  ])('say the same again: %s', (text) => {
    const route = readRoute(`#${text}`);
    expect(route && writeRoute(route)).toBe(text);
  });
  it('are not links to the stage', () => {
    expect(readRoute('#v=2&x=s3-nice')).toBeNull();
    expect(readRoute('')).toBeNull();
  });
  it('with invalid parts keep the valid ones', () => {
    expect(readRoute('r=s1&seeds=0&if=-4')).toMatchObject({ page: 's1', seeds: 1, whatIf: '' });
    expect(readRoute('r=s1&seeds=9999&if=<x>')).toMatchObject({ page: 's1', seeds: 5, whatIf: '' });
  });
});
