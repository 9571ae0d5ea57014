import { describe, expect, it, vi } from 'vitest';
import { KeptWorkers } from './kept-workers';
import { Pool, type SweepWorker } from './pool';
import type { Job, Outcome } from './protocol';

/** A worker that answers when the test tells it to. */
class FakeWorker implements SweepWorker {
  onmessage: ((event: MessageEvent<Outcome>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  job: Job | null = null;
  ended = false;
  postMessage(job: Job): void {
    this.job = job;
  }
  terminate(): void {
    this.ended = true;
  }
  answer(): void {
    const id = this.job?.id ?? -1;
    this.reply({ id, columns: ['id'], values: Float64Array.of(id) });
  }
  reply(data: Outcome): void {
    this.onmessage?.(new MessageEvent('message', { data }));
  }
}

function setUp(jobs: number, size: number) {
  const workers: FakeWorker[] = [];
  const log: string[] = [];
  const spawn = () => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  };
  const pool = new Pool(new KeptWorkers(spawn, size), size);
  const job = { scenario: '', probe: '', at: [] };
  const start = (n: number) => {
    pool.start(
      Array.from({ length: n }, () => job),
      {
        result: (i) => log.push(String(i)),
        refused: (i, message, isBroken) =>
          log.push(`${String(i)}: ${isBroken ? 'failed' : 'invalid'}, ${message}`),
        done: () => log.push('done'),
      },
    );
  };
  start(jobs);
  return { workers, log, pool, start };
}

describe('the pool', () => {
  it('gives the next run to the worker that answers, and keeps its workers for the next batch', () => {
    const { workers, log, start } = setUp(3, 2);
    expect(workers).toHaveLength(2);
    workers[1]?.answer();
    workers[1]?.answer();
    expect(log).toEqual(['1', '2']);
    workers[0]?.answer();
    expect(log).toEqual(['1', '2', '0', 'done']);
    start(3);
    expect(workers).toHaveLength(2);
    for (const worker of [...workers, ...workers.slice(0, 1)]) worker.answer();
    expect(log.slice(4).sort()).toEqual(['0', '1', '2', 'done']);
    expect(workers.some((w) => w.ended)).toBe(false);
  });
  it('ends its workers after some idle time, and starts others for later runs', () => {
    vi.useFakeTimers();
    try {
      const { workers, log, start } = setUp(1, 2);
      workers[0]?.answer();
      vi.advanceTimersByTime(120_000);
      expect(workers[0]?.ended).toBe(true);
      start(1);
      workers[1]?.answer();
      expect(log).toEqual(['0', 'done', '0', 'done']);
    } finally {
      vi.useRealTimers();
    }
  });
  it('does not keep a worker that breaks while it is idle', () => {
    const { workers, start } = setUp(1, 1);
    workers[0]?.answer();
    workers[0]?.onerror?.(new ErrorEvent('error'));
    start(1);
    expect(workers).toHaveLength(2);
  });
  it('starts no more workers than there are runs, and is done at once without any', () => {
    expect(setUp(1, 8).workers).toHaveLength(1);
    expect(setUp(0, 8).log).toEqual(['done']);
  });
  it('replaces a worker that broke, as long as there are runs', () => {
    const { workers, log } = setUp(4, 2);
    workers[0]?.reply({ id: 0, error: 'unreachable', broken: true });
    expect(workers).toHaveLength(3);
    expect(workers[0]?.ended).toBe(true);
    workers[2]?.answer();
    workers[2]?.reply({ id: 3, error: 'unreachable', broken: true });
    expect(workers).toHaveLength(3);
    workers[1]?.answer();
    const failed = (i: number) => `${String(i)}: failed, unreachable`;
    expect(log).toEqual([failed(0), '2', failed(3), '1', 'done']);
  });
  it('ends where no worker loads', () => {
    const { workers, log } = setUp(3, 2);
    for (let i = 0; i < 3; i++) workers[i]?.onerror?.(new ErrorEvent('error'));
    expect(workers).toHaveLength(3);
    const lost = log.slice(0, 3).map((line) => line.replace(/^\d/, 'n'));
    expect(new Set(lost)).toEqual(new Set(['n: failed, the worker did not load']));
    expect(log[3]).toBe('done');
  });
  it('counts a scenario that was refused and keeps its worker', () => {
    const { workers, log } = setUp(2, 1);
    workers[0]?.reply({ id: 0, error: 'hz must be …', broken: false });
    workers[0]?.answer();
    expect(workers).toHaveLength(1);
    expect(log).toEqual(['0: invalid, hz must be …', '1', 'done']);
  });
  it('reports nothing after it was cancelled', () => {
    const { workers, log, pool } = setUp(2, 2);
    const answer = workers[0]?.onmessage;
    pool.cancel();
    workers[0]?.answer();
    expect(answer).not.toBeNull();
    expect(log).toEqual([]);
    expect(workers.every((w) => w.ended)).toBe(true);
  });
});
