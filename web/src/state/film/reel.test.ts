import { describe, expect, it, vi } from 'vitest';
import { TestWorker } from '../../sim/test-worker';
import { MS } from '../../lib/units';
import { Lab } from '../lab.svelte';
import { Reel } from './reel.svelte';

async function opened(fragment: string): Promise<Lab> {
  const lab = new Lab(
    () => new TestWorker(),
    () => {
      throw new Error('nothing is swept');
    },
    () => {
      throw new Error('no lesson is open');
    },
  );
  await lab.start(fragment, Promise.resolve());
  return lab;
}

describe('the run of a film', () => {
  it('stands exactly at the time of each picture, as the page would, and leaves the page alone', async () => {
    const lab = await opened('bfs-smt&t=8');
    const reel = new Reel(lab, 20 * MS);
    // Flights and sums need earlier seconds, but none before the start.
    expect(await reel.open(8 * MS)).toBe(0);
    for (const ns of [8 * MS, 8 * MS + 666_666, 33 * MS]) {
      await reel.to(ns);
      expect(reel.run.nowNs).toBe(ns);
      for (const { calm, frame } of reel.run.lanes) {
        expect(calm).toBe(frame);
        expect(frame.nowNs).toBe(ns);
      }
    }
    const digests = reel.run.lanes.map((lane) => lane.digest);
    expect(lab.run.nowNs).toBe(8 * MS);
    await lab.playback.seek(33 * MS);
    expect(digests).toEqual(lab.run.lanes.map((lane) => lane.digest));
    expect(reel.answer.line(reel.run.lanes)).toEqual(lab.answer.line(lab.run.lanes));
    reel.close();
  });

  it('counts sums from the last change, and shows what the page shows', async () => {
    const lab = await opened('bfs-smt&t=8');
    lab.editing.change({ set: 'groups.*.nice', to: 5 });
    await vi.waitFor(() => {
      expect(lab.config?.scenario.edits).toHaveLength(1);
    });
    lab.selection.thread = 'dhry-2';
    lab.window.tab = 'shares';
    const reel = new Reel(lab, 20 * MS);
    await reel.open(40 * MS);
    expect(reel.run.nowNs).toBe(0);
    await reel.to(8 * MS);
    expect(reel.run.lanes[0]?.since).toBeNull();
    await reel.to(40 * MS);
    for (const { since } of reel.run.lanes) expect(since?.atNs).toBe(8 * MS);
    expect(reel.window.tab).toBe('shares');
    expect(reel.selection.thread).toBe('dhry-2');
    reel.close();
    await expect(reel.to(50 * MS)).rejects.toThrow('ended');
  });
});
