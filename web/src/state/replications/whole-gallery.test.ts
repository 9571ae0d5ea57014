import { describe, expect, it, vi } from 'vitest';
import type { Replication } from './replication.svelte';
import { WholeGallery } from './whole-gallery.svelte';

/** Experiments that end when the test ends them. */
function three() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const parts = ['a', 'b', 'c'].map((name, i) => {
    const batch = { done: 0, total: 10, cancel: () => ends.at(-1)?.() };
    const run = async (seeds: number) => {
      begun.push(`${name}${String(seeds)}`);
      await new Promise<void>((resolve) => ends.push(resolve));
    };
    return { replication: { run, batch } as unknown as Replication, batch, cost: i + 1 };
  });
  const end = async () => {
    ends.at(-1)?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { parts, begun, end };
}

describe('the whole gallery', () => {
  it('carries out one experiment after the other', async () => {
    const { parts, begun, end } = three();
    const whole = new WholeGallery();
    const pass = whole.run(parts, 2);
    expect(begun).toEqual(['a2']);
    await end();
    expect([whole.done, whole.total, begun]).toEqual([1, 3, ['a2', 'b2']]);
    await end();
    await end();
    await pass;
    expect([whole.done, whole.status]).toEqual([3, 'done']);
  });

  it('estimates the remaining time from the cost of the rest', async () => {
    const { parts, end } = three();
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const whole = new WholeGallery();
    const pass = whole.run(parts, 1);
    expect(whole.leftS).toBeNull();
    await end();
    // One of six is done, and half of the next, which is another one: four are left.
    now.mockReturnValue(8000);
    if (parts[1]) parts[1].batch.done = 5;
    expect(whole.leftS).toBeCloseTo(16, 9);
    whole.cancel();
    await pass;
    expect(whole.leftS).toBeNull();
  });

  it('starts no more experiments once it is cancelled, and can begin again', async () => {
    const { parts, begun, end } = three();
    const whole = new WholeGallery();
    const pass = whole.run(parts, 1);
    await end();
    whole.cancel();
    await pass;
    expect([whole.done, whole.status, begun]).toEqual([1, 'cancelled', ['a1', 'b1']]);
    void whole.run(parts, 3);
    expect([whole.done, whole.status, begun.at(-1)]).toEqual([0, 'running', 'a3']);
  });
});
