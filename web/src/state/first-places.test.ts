/** Where jobs begin, read from the real core a moment after the start, and shown before it. */
import { describe, expect, it } from 'vitest';
import { firstPlacesOf } from './first-places';
import { idle, labOfWalks } from './test-lab';

async function placesAt20ms(link: string) {
  const lab = await labOfWalks(link);
  await lab.run.seek(20e6, null);
  return lab.run.lanes.map((lane) => firstPlacesOf(lane));
}

describe('first places', () => {
  it('are one job on each CPU, and the ninth of the first lesson before one of them or in the one queue', async () => {
    const [ule, bsd] = await placesAt20ms('l1.1');
    const cpus = [0, 1, 2, 3, 4, 5, 6, 7];
    for (const lane of [ule, bsd]) {
      expect([...(lane?.onCpu.keys() ?? [])].sort()).toEqual(cpus);
      expect(lane?.waits.size).toBe(1);
    }
    expect([...(ule?.waits.values() ?? [])]).toEqual([0]);
    expect([...(bsd?.waits.values() ?? [])]).toEqual([-1]);
  });

  it('are not told where they would answer a question: who shares a core, or whether all stay on one', async () => {
    for (const link of ['l4.1', 'l5.1']) {
      const places = await placesAt20ms(link);
      expect(places.every((place) => place === null)).toBe(true);
    }
  });

  it('are there when a class sees the situation, at the start of the run, and gone afterwards', async () => {
    const lab = await labOfWalks('l1.1');
    lab.prefs.isPresenting = true;
    await idle(lab);
    const [lane] = lab.run.lanes;
    if (!lane) throw new Error('no lane');
    expect(lab.run.nowNs).toBe(0);
    expect(lane.first?.onCpu.size).toBe(8);
    lab.prefs.isPresenting = false;
    await idle(lab);
    expect(lane.first).toBeNull();
  });
});
