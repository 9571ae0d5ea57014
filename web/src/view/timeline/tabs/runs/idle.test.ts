/** Idleness while somebody waits, from the real core. */
import { describe, expect, it } from 'vitest';
import { openLab } from '../../../../state/test-lab';
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

  it('is none before, while each job has a core', async () => {
    const lab = await openLab('s.bfs-smt');
    const [lane] = lab.run.lanes;
    expect(lane && idleSpans(lane)).toEqual([]);
  });
});
