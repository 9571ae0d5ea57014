/** What a control of threads says when some have ended, with the real core. */
import { describe, expect, it } from 'vitest';
import { askedCount } from './asked-count';
import { openLab } from './test-lab';

describe('the number of a group', { timeout: 60_000 }, () => {
  it('says how many of all are left, and nothing more while all run or after an edit', async () => {
    const lab = await openLab('v=2&x=s2e-one-thread-per-core&k=40&end.atNs=60s');
    const [lane] = lab.run.lanes;
    if (!lane) throw new Error('no lane');
    const asked = (edits = lab.config?.scenario.edits ?? []) => askedCount(lane, 0, edits);
    expect(asked()).toBeNull();
    await lab.playback.seek(13e9);
    const left = lane.present.groups[0]?.count ?? 0;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(40);
    expect(asked()).toBe(40);
    const set = (path: string, value: number | null) => [{ atNs: 0, set: { [path]: value } }];
    expect(asked(set('groups.*.count', 50))).toBeNull();
    expect(asked(set('threads.work-1', null))).toBeNull();
    expect(asked(set('groups.*.nice', 5))).toBe(40);
    expect(asked(set('groups.other.count', 5))).toBe(40);
  });
});
