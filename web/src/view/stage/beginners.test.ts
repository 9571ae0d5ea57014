/** Before a run begins everybody stands there, as a large token. */
import { describe, expect, it } from 'vitest';
import { labOfWalks } from '../../state/test-lab';
import { factsOf, headline } from '../a11y/describe';
import { beginnersOf, fitTokens, sayBeginners } from './beginners';

describe('before a run begins', () => {
  it('all nine jobs of the first lesson are there, and none once it runs', async () => {
    const lab = await labOfWalks('l1.1');
    const lane = lab.run.lanes[0];
    if (!lane) throw new Error('no lane');
    expect(lab.run.nowNs).toBe(0);
    const tasks = beginnersOf(lane, lane.frame);
    expect(tasks.map((task) => lane.nameOf(task))).toEqual(
      Array.from({ length: 9 }, (_, i) => `job-${String(i + 1)}`),
    );
    expect(sayBeginners(lane, tasks)).toEqual(['job 1–9']);
    expect(headline(factsOf(lane), 0)).toBe('9 threads are to begin');
    await lab.run.seek(1e6, null);
    expect(beginnersOf(lane, lane.frame)).toEqual([]);
  });

  it('tokens are as large as they fit: nine of 60 px in front of a class, sixteen of 40', () => {
    expect(fitTokens(9, 960, 84, 84).side).toBeGreaterThanOrEqual(60);
    expect(fitTokens(16, 960, 84, 84).side).toBeGreaterThanOrEqual(40);
    expect(fitTokens(9, 580, 80, 84)).toEqual({ side: 57, shown: 9 });
    for (const n of [1, 9, 16, 64, 512]) {
      const { side, shown } = fitTokens(n, 580, 100, 84);
      expect(shown).toBeGreaterThan(0);
      expect(side * Math.ceil(shown / Math.floor(580 / side))).toBeLessThanOrEqual(101);
    }
  });
});
