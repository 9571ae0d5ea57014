import { describe, expect, it } from 'vitest';
import type { QueueRow } from '../../sim/frame';
import { waitersOf } from '../../sim/test-waiters';
import type { DecisionView } from '../../sim/types/DecisionView';
import { heldOf, idleBesideWaiting, refusalOf } from './refusals';

type Waits = readonly (readonly [number, number])[];

const decision = (reason: string, name: string, value: number): DecisionView => ({
  id: 7,
  atNs: 5,
  cpu: 2,
  task: null,
  taskName: null,
  kind: 'steal',
  reason,
  kernel: '',
  operands: [{ name, value, unit: '' }],
  candidates: [],
});
const isBackground = (task: number) => task >= 90;
/** Thread 5 may run on one CPU only. */
const places = Float64Array.from({ length: 100 }, (_, task) => (task === 5 ? 1 : 3));
const frameOf = (curr: readonly number[], waits: Waits) => ({
  task: () => places,
  cpu: () => Float64Array.from(curr),
  waiters: () =>
    waitersOf(
      waits.map(([queue, task]): QueueRow => ({
        queue,
        task,
        key: 0,
        position: 0,
        part: 0,
        place: 0,
      })),
    ),
});

describe('refusals', () => {
  it('are decisions that name the CPU of waiting threads', () => {
    const of = (id: string, reason: string, name: string, cpu: number) =>
      refusalOf(id, decision(reason, name, cpu));
    expect(of('ule', 'no_victim', 'most loaded', 0)).toEqual({ id: 7, atNs: 5, from: 0, to: 2 });
    expect(of('ule', 'no_victim', 'most loaded', -1)).toBeNull();
    expect(of('ule', 'no_victim', 'most loaded', 2)).toBeNull();
    expect(of('ule', 'idle_steal', 'victim', 0)).toBeNull();
    expect(of('bfs', 'no_victim', 'most loaded', 0)).toBeNull();
    expect(of('ule', 'toString', 'most loaded', 0)).toBeNull();
  });

  it('hold as long as the thread waits and the CPU is idle', () => {
    const refusal = { id: 7, atNs: 5, from: 0, to: 2 };
    const held = (curr: readonly number[], waits: Waits) =>
      heldOf([refusal], frameOf(curr, waits), isBackground);
    expect(held([1, 3, -1], [[0, 9]])).toEqual([{ ...refusal, task: 9 }]);
    // A thread that may run nowhere else is not refused.
    expect(held([1, 3, -1], [[0, 5]])).toEqual([]);
    expect(held([1, 3, 4], [[0, 9]])).toEqual([]);
    expect(held([1, 3, -1], [[1, 9]])).toEqual([]);
    expect(held([1, 3, -1], [[0, 95]])).toEqual([]);
  });

  it('are requested for idle CPUs while a job waits for another CPU', () => {
    const idle = (waits: Waits) =>
      idleBesideWaiting(frameOf([1, -1, -1, 2, -1, -1, -1], waits), isBackground);
    expect(idle([[0, 9]])).toEqual([1, 2, 4, 5]);
    expect(idle([[-1, 9]])).toEqual([]);
    expect(idle([[0, 95]])).toEqual([]);
  });
});
