/** A first visit is answered from recordings, with what the core will answer. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Fault, SILENCE_MS, SimClient, type WorkerLike } from '../client';
import { LaneGroup } from '../lane-group';
import type { Request } from '../protocol';
import { realCore } from '../test-core';
import { TestWorker } from '../test-worker';
import { FirstAnswers } from './answers';
import { record } from './record';
import { read, RecordedFiles, written } from './recording';

const recorded = await record(realCore);
const [shipped] = (
  JSON.parse(realCore.catalog()) as { scenarios: { id: string; scenario: object }[] }
).scenarios;
if (!shipped) throw new Error('no scenario is shipped');

/** A worker whose core arrives when the test says so. */
class LateWorker extends TestWorker {
  #held: Request[] | null = [];

  override postMessage(request: Request): void {
    if (this.#held) this.#held.push(request);
    else super.postMessage(request);
  }

  arrive(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const request of held) super.postMessage(request);
  }
}

function setUp(fetch: (place: string) => Promise<string> = (place) => Promise.resolve(place)) {
  const faults: Fault[] = [];
  const late = new LateWorker();
  // A place is the text itself.
  const recordings = new RecordedFiles(recorded, fetch);
  const client = new SimClient(
    (): WorkerLike => new FirstAnswers(new LaneGroup(() => late, 1), recordings),
    (fault) => faults.push(fault),
  );
  client.respawn();
  return { client, late, faults };
}

const opening = { scenario: shipped.scenario, at: 'opening' } as const;

describe('the first answers', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are there before the core, and the run goes on from them', async () => {
    const { client, late } = setUp();
    const catalog = await client.call('load', null);
    expect(catalog).toEqual(JSON.parse(realCore.catalog()));
    const first = await client.call('configure', opening);
    if ('problems' in first) throw new Error('refused');
    expect(client.pending).toBe(0);
    const later = client.call('advance', { untilNs: first.moment.nowNs + 1_000_000 });
    late.arrive();
    const { lanes, nowNs } = await later;
    expect(nowNs).toBeGreaterThan(first.moment.nowNs);
    expect(lanes.every((lane) => lane.traceContinues)).toBe(true);
  });

  it('are those of the core, to the digest', async () => {
    const { client, late } = setUp();
    await client.call('load', null);
    const early = await client.call('configure', opening);
    late.arrive();
    await client.call('look', null);
    const own = await client.call('configure', opening);
    if ('problems' in early || 'problems' in own) throw new Error('refused');
    expect(early).toEqual({ ...own, moment: { ...own.moment, workMs: 0 } });
    expect(early.moment.lanes.every(({ digest }) => digest !== null)).toBe(true);
  });

  it('are not given for a changed scenario, nor for another time', async () => {
    const fetched: string[] = [];
    const { client, late } = setUp((place) => {
      fetched.push(place);
      return Promise.resolve(place);
    });
    await client.call('load', null);
    const changed = { ...shipped.scenario, seed: 99 };
    const all = [
      client.call('configure', { scenario: changed, at: 'opening' }),
      client.call('configure', { scenario: shipped.scenario, at: 1_000_000 }),
    ];
    late.arrive();
    await Promise.all(all);
    expect(fetched).toEqual([recorded.catalog]);
  });

  it('wait for the core where a file does not come', async () => {
    const { client, late } = setUp(() => Promise.reject(new Error('404')));
    const catalog = client.call('load', null);
    late.arrive();
    expect((await catalog).scenarios.length).toBeGreaterThan(1);
  });

  it('do not take a slow line for a core that hangs', async () => {
    const { client, faults } = setUp();
    await client.call('load', null);
    vi.useFakeTimers();
    const slow = setUp(() => Promise.reject(new Error('404')));
    void slow.client.call('look', null).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(10 * SILENCE_MS);
    expect(slow.faults).toEqual([]);
    // A core that never comes is a fault all the same.
    await vi.advanceTimersByTimeAsync(30 * SILENCE_MS);
    expect(slow.faults.map(({ kind }) => kind)).toEqual(['silence']);
    expect(faults).toEqual([]);
  });
});

describe('a recording', () => {
  it('keeps every number', () => {
    const numbers = Float64Array.of(0, -0, 0.1, 2 ** 60, Number.NaN, Infinity, -Infinity);
    expect(read(written({ numbers, other: [1, null] }))).toEqual({ numbers, other: [1, null] });
  });
});
