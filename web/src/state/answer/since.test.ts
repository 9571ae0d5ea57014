import { describe, expect, it } from 'vitest';
import { TestWorker } from '../../sim/test-worker';
import { Lab } from '../lab.svelte';
import { ofGroup } from '../test-lab';
import { followChanges, lastChange } from './since.svelte';

const MS = 1e6;

async function idle(lab: Lab): Promise<void> {
  for (let calm = 0; calm < 4; calm = lab.playback.isIdle ? calm + 1 : 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
}

async function opened(fragment: string): Promise<Lab> {
  const lab = new Lab(
    () => new TestWorker(),
    () => {
      throw new Error('nothing is swept');
    },
    () => {
      throw new Error('no lesson is opened');
    },
  );
  followChanges(lab);
  await lab.start(fragment, Promise.resolve());
  await idle(lab);
  return lab;
}

const numbers = (lab: Lab) =>
  lab.answer.line(lab.run.lanes)?.lanes.map(({ amount }) => amount.number) ?? [];

describe('the window of the answer', () => {
  it('begins at the last change before the present', () => {
    expect(lastChange([], 5)).toBe(0);
    expect(lastChange([{ atNs: 3 }, { atNs: 5 }, { atNs: 9 }], 5)).toBe(3);
    expect(lastChange([{ atNs: 3 }, { atNs: 5 }, { atNs: 9 }], 6)).toBe(5);
  });

  it('shows shares since a change and says since when; after undo, shares of the whole run', async () => {
    const lab = await opened('v=2&x=bfs-smt&s=ule&t=500&k=9&measure=share');
    const [ule] = lab.run.lanes;
    expect(ule?.since).toBeNull();
    lab.answer.choose({ measure: 'leastShare' });
    expect(lab.answer.line(lab.run.lanes)?.fair).toBe('Fair would be 8 CPUs / 9 threads = 89 %.');
    // Eight of nine leave: each remaining thread has a CPU of its own from now on.
    lab.editing.change(ofGroup(lab, 0, 'count', 5));
    await idle(lab);
    await lab.playback.seek(700 * MS);
    await idle(lab);
    expect(ule?.since?.atNs).toBe(500 * MS);
    expect(lab.answer.line(lab.run.lanes)?.fair).toContain('Since the change at 500 ms.');
    const [since] = numbers(lab);
    expect(Number(since)).toBeGreaterThanOrEqual(97);
    // Before the change, the sums are those of the whole run.
    await lab.playback.seek(400 * MS);
    await idle(lab);
    expect(ule?.since).toBeNull();
    await lab.playback.seek(700 * MS);
    await idle(lab);
    expect(numbers(lab)).toEqual([since]);
  });

  it('says of the thread that was changed what it had before and has since', async () => {
    const lab = await opened('v=2&x=bfs-smt&s=ule&t=500&k=9');
    lab.editing.change({ set: 'threads.dhry-1.nice', to: 10 });
    await idle(lab);
    await lab.playback.seek(900 * MS);
    await idle(lab);
    const [lane] = lab.run.lanes;
    if (!lane) throw new Error('no lane');
    const words = lab.answer.line(lab.run.lanes)?.fair ?? '';
    const said = /^dhry-1: (\d+) % → (\d+) % since nice \+10\.$/.exec(words);
    const total = lane.since?.totals.get(0)?.runNs ?? 0;
    // Both begin within the first ms.
    expect(Math.abs(Number(said?.[1]) - (100 * total) / (500 * MS)), words).toBeLessThanOrEqual(1);
    const ran = ((lane.calm.task('runNs')[0] ?? 0) - total) / (400 * MS);
    expect(Number(said?.[2])).toBe(Math.round(100 * ran));
  });
});
