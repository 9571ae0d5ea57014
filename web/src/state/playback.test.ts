import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Playback } from './playback.svelte';
import type { Run } from './run.svelte';

/** A run that is never done, whose worker takes a while for each slice. */
const SLICE_MS = 5;
const SLICE_NS = 1_000;
const END_NS = 1e12;

function slowRun() {
  const run = {
    slices: 0,
    nowNs: 0,
    endNs: END_NS,
    finished: false,
    status: 'ready',
    pending: 0,
    tell: () => undefined,
    look: () => Promise.resolve(),
    advance: async () => {
      run.slices += 1;
      await new Promise((done) => setTimeout(done, SLICE_MS));
      run.nowNs += SLICE_NS;
    },
  };
  return run;
}

describe('playing', () => {
  const pictures: FrameRequestCallback[] = [];
  const draw = () => {
    for (const picture of pictures.splice(0)) picture(performance.now());
  };

  beforeEach(() => {
    // A picture at time 0 would count as none.
    vi.useFakeTimers().advanceTimersByTime(1);
    vi.stubGlobal('requestAnimationFrame', (picture: FrameRequestCallback) =>
      pictures.push(picture),
    );
  });

  afterEach(() => {
    // In the order opposite to that above: the clock brings the browser's own function back.
    vi.unstubAllGlobals();
    vi.useRealTimers();
    pictures.length = 0;
  });

  it('goes on between two pictures while workers are behind', async () => {
    const run = slowRun();
    const playback = new Playback(run as unknown as Run);
    playback.isUnbounded = true;
    playback.play();
    draw();
    await vi.advanceTimersByTimeAsync(16);
    expect(run.slices).toBe(2);
    playback.pause();
    draw();
    await vi.advanceTimersByTimeAsync(16);
    expect(run.slices).toBe(2);
  });

  it('waits for the next picture where time keeps its pace', async () => {
    const run = slowRun();
    const playback = new Playback(run as unknown as Run);
    playback.setSpeed(50_000);
    playback.play();
    draw();
    await vi.advanceTimersByTimeAsync(10);
    draw();
    await vi.advanceTimersByTimeAsync(10);
    expect(run.slices).toBe(1);
    draw();
    await vi.advanceTimersByTimeAsync(10);
    expect(run.slices).toBe(2);
  });

  it('stops where no pictures come, as in a hidden tab', async () => {
    const run = slowRun();
    const playback = new Playback(run as unknown as Run);
    playback.isUnbounded = true;
    playback.play();
    draw();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(run.slices).toBe(2);
  });
});
