/** Idleness while somebody waits, from the real core. */
import { describe, expect, it } from 'vitest';
import { labOfWalks, openLab } from '../../../../state/test-lab';
import { lists } from '../../slices';
import { idleSpans, sayIdle } from './idle';

describe('idleness while somebody waits', () => {
  it('is that of the core that the second of two sharing jobs does not use, since it came', async () => {
    const lab = await openLab('s.bfs-smt');
    const [lane] = lab.run.lanes;
    if (!lane) throw new Error('no lane');
    await lab.playback.seek(lab.run.nowNs);
    while (lane.frame.nowNs < 58e6) await lab.run.advance(58e6);
    const [span, ...more] = idleSpans(lane);
    expect(more).toEqual([]);
    expect(span).toMatchObject({ cpus: [1, 5], core: 1, toNs: lane.frame.nowNs });
    expect(span?.fromNs).toBeGreaterThan(53e6);
    expect(span?.fromNs).toBeLessThan(53.2e6);
    expect(span && sayIdle(span)[0]).toMatch(/^core 1 idle for 4\.9/);
  });

  it('lasts until the waiting job goes elsewhere, where what came later is known', async () => {
    const lab = await labOfWalks('l1.1');
    const { run } = lab;
    lab.lessons.close();
    await run.seek(run.endNs, null);
    await run.seek(10.064e9, null);
    const [lane] = run.lanes;
    if (!lane) throw new Error('no lane');
    const asked = { lane: 0, fromNs: 0, toNs: 17e9, columns: 800, most: 12_000 };
    const past = await run.past(asked);
    if (past.kind !== 'slices') throw new Error('too many slices');
    const later = lists(past.rows, 8);
    const [span, ...more] = idleSpans(lane, later, { fromNs: 0, toNs: 17e9 });
    expect(more).toEqual([]);
    expect(span?.cpus.toSorted()).toEqual([2, 3, 4, 5, 6, 7]);
    expect(span?.fromNs).toBeCloseTo(10.0636e9, -7);
    expect(span?.toNs).toBeCloseTo(12.732e9, -7);
    // Without it, it goes on up to now.
    expect(idleSpans(lane).every(({ toNs }) => toNs === run.nowNs)).toBe(true);
  });

  it('is none before, while each job has a core', async () => {
    const lab = await openLab('s.bfs-smt');
    const [lane] = lab.run.lanes;
    expect(lane && idleSpans(lane)).toEqual([]);
  });
});
