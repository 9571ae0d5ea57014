import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Fault, SILENCE_MS, SimClient, Superseded, type WorkerLike } from './client';
import type { Reply, Request } from './protocol';

const QUERY = { lane: 0, from: -1, newer: false, max: 1, task: -1, cpu: -1, kind: '' };

class Stub implements WorkerLike {
  onmessage: ((event: MessageEvent<Reply>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  sent: Request[] = [];
  isTerminated = false;

  postMessage(message: Request): void {
    this.sent.push(message);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  say(data: Reply): void {
    this.onmessage?.({ data } as MessageEvent<Reply>);
  }
}

function setUp() {
  const workers: Stub[] = [];
  const faults: Fault[] = [];
  const client = new SimClient(
    () => {
      const worker = new Stub();
      workers.push(worker);
      return worker;
    },
    (fault) => faults.push(fault),
  );
  client.respawn();
  const worker = workers[0];
  if (!worker) throw new Error('no worker was made');
  return { client, workers, faults, worker };
}

describe('SimClient', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('gives each answer to its question, in any order', async () => {
    const { client, worker } = setUp();
    const a = client.call('decisions', QUERY);
    const b = client.call('decisions', { ...QUERY, lane: 1 });
    const [first, second] = worker.sent;
    worker.say({ kind: 'result', id: second?.id ?? -1, epoch: second?.epoch ?? -1, value: 'b' });
    worker.say({ kind: 'result', id: first?.id ?? -1, epoch: first?.epoch ?? -1, value: 'a' });
    expect(await Promise.all([a, b])).toEqual(['a', 'b']);
    expect(client.pending).toBe(0);
  });

  it('drops answers of an older epoch', async () => {
    const { client, worker } = setUp();
    const old = client.call('look', null);
    client.newEpoch();
    await expect(old).rejects.toBeInstanceOf(Superseded);
    const [sent] = worker.sent;
    worker.say({ kind: 'result', id: sent?.id ?? -1, epoch: sent?.epoch ?? -1, value: 'late' });
    expect(client.pending).toBe(0);
  });

  it('passes refusals on', async () => {
    const { client, worker } = setUp();
    const asked = client.call('explain', {
      lane: 0,
      of: { kind: 'decisions', decision: 7, also: -1 },
    });
    worker.say({
      kind: 'refused',
      id: worker.sent[0]?.id ?? -1,
      epoch: worker.sent[0]?.epoch ?? -1,
      message: 'no such decision',
    });
    await expect(asked).rejects.toThrow('no such decision');
  });

  it('ends a silent worker and reports it once', async () => {
    const { client, worker, faults } = setUp();
    const asked = client.call('look', null);
    const lost = expect(asked).rejects.toBeInstanceOf(Superseded);
    vi.advanceTimersByTime(SILENCE_MS - 1);
    worker.say({ kind: 'alive' });
    vi.advanceTimersByTime(SILENCE_MS - 1);
    expect(faults).toEqual([]);
    vi.advanceTimersByTime(1);
    await lost;
    expect(worker.isTerminated).toBe(true);
    expect(faults).toEqual([{ kind: 'silence', message: 'no answer for 5 s' }]);
  });

  it('waits longer for calls that the core cannot split', () => {
    const { client, faults } = setUp();
    const step = { lane: 0, kind: 'switch', back: true, about: { task: -1, cpu: -1 } } as const;
    void client.call('step', step).catch(() => undefined);
    vi.advanceTimersByTime(29_999);
    expect(faults).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(faults).toEqual([{ kind: 'silence', message: 'no answer for 30 s' }]);
  });

  it('does not take sleep of the computer for silence of the worker', () => {
    const { client, faults, worker } = setUp();
    void client.call('look', null).catch(() => undefined);
    // Timers that were due meanwhile fire at once; the answer comes soon after.
    vi.advanceTimersToNextTimer();
    vi.advanceTimersByTime(SILENCE_MS / 2);
    expect(faults).toEqual([]);
    worker.say({ kind: 'alive' });
    vi.advanceTimersByTime(SILENCE_MS - 1);
    expect(faults).toEqual([]);
  });

  it('does not report silence when no request is open', () => {
    const { client, faults } = setUp();
    void client.call('look', null).catch(() => undefined);
    client.newEpoch();
    vi.advanceTimersByTime(10 * SILENCE_MS);
    expect(faults).toEqual([]);
  });

  it('replaces a worker that trapped and ignores its later messages', async () => {
    const { client, workers, worker, faults } = setUp();
    const asked = client.call('look', null);
    worker.say({ kind: 'fault', cause: 'panic', message: 'no such queue' });
    await expect(asked).rejects.toBeInstanceOf(Superseded);
    expect(faults).toEqual([{ kind: 'panic', message: 'no such queue' }]);
    client.respawn();
    const again = client.call('look', null);
    worker.say({ kind: 'fault', cause: 'panic', message: 'echo' });
    expect(faults).toHaveLength(1);
    const fresh = workers[1];
    fresh?.say({
      kind: 'result',
      id: fresh.sent[0]?.id ?? -1,
      epoch: fresh.sent[0]?.epoch ?? -1,
      value: 'fine',
    });
    expect(await again).toBe('fine');
  });
});
