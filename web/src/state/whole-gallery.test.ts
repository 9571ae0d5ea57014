import { describe, expect, it } from 'vitest';
import type { Replication } from './replication.svelte';
import { WholeGallery } from './whole-gallery.svelte';

/** Experiments that end when they are told to. */
function three() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const all = ['a', 'b', 'c'].map((name) => ({
    run: async (seeds: number) => {
      begun.push(`${name}${String(seeds)}`);
      await new Promise<void>((resolve) => ends.push(resolve));
    },
    batch: { cancel: () => ends.at(-1)?.() },
  })) as unknown as Replication[];
  const end = async () => {
    ends.at(-1)?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { all, begun, end };
}

describe('the whole gallery', () => {
  it('carries out one experiment after the other', async () => {
    const { all, begun, end } = three();
    const whole = new WholeGallery();
    const pass = whole.run(all, 2);
    expect(begun).toEqual(['a2']);
    await end();
    expect([whole.done, whole.total, begun]).toEqual([1, 3, ['a2', 'b2']]);
    await end();
    await end();
    await pass;
    expect([whole.done, whole.status]).toEqual([3, 'done']);
  });

  it('begins nothing more once it is cancelled, and can begin again', async () => {
    const { all, begun, end } = three();
    const whole = new WholeGallery();
    const pass = whole.run(all, 1);
    await end();
    whole.cancel();
    await pass;
    expect([whole.done, whole.status, begun]).toEqual([1, 'cancelled', ['a1', 'b1']]);
    void whole.run(all, 3);
    expect([whole.done, whole.status, begun.at(-1)]).toEqual([0, 'running', 'a3']);
  });
});
