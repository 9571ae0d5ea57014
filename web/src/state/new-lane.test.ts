/** Which release a new lane runs, with the real catalog. */
import { describe, expect, it } from 'vitest';
import { byTime, newLane } from './new-lane';
import { openLab } from './test-lab';

describe('a new lane', { timeout: 60_000 }, () => {
  it('runs the newest release of Linux, and others stay; lists are in the order of time', async () => {
    const { run } = await openLab('s.bfs-smt');
    const all = run.catalog?.schedulers ?? [];
    expect(newLane(all, 'eevdf')).toEqual({ id: 'eevdf', era: '7.3' });
    expect(newLane(all, 'cfs')).toEqual({ id: 'cfs', era: '6.1' });
    for (const id of ['ule', 'bfs', 'manual']) expect(newLane(all, id)).toEqual({ id });
    const releases = (id: string) =>
      all.filter((one) => one.id === id).flatMap((one) => byTime(one).map((era) => era.id));
    expect(releases('eevdf')).toEqual(['6.6', '6.12', '6.18', '7.2', '7.3']);
    expect(releases('ule').at(-1)).toBe('16-2025');
  });
});
