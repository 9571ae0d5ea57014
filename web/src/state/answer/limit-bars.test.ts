import { expect, it } from 'vitest';
import type { LimitNow } from '../../sim/types/LimitNow';
import { limitBars } from './limit-bars';

const RUNNING = 1;

/** Three threads, the first two in a control group, at a time. */
function lane(limit: Partial<LimitNow>, nowNs: number, runNs: readonly number[]) {
  const columns: Record<string, readonly number[]> = { runNs, state: [RUNNING, RUNNING, RUNNING] };
  return {
    calm: { nowNs, tasks: 3, task: (id: string) => columns[id] ?? [] },
    names: {
      taskGroup: [0, 0, 1],
      groups: [{ background: false }, { background: false }],
    },
    calmLimits: [{ name: 'web', groups: [0], quotaNs: 50, periodNs: 100, ...limit }],
  } as unknown as Parameters<typeof limitBars>[0];
}

it('tells the CPUs that a control group used, and its limit', () => {
  expect(limitBars(lane({}, 1_000, [300, 100, 900]))).toEqual([
    { name: 'web', used: 0.4, limit: 0.5, most: 1 },
  ]);
});

it('has room for a limit of several CPUs', () => {
  const [bar] = limitBars(lane({ quotaNs: 250 }, 1_000, [900, 900, 900]));
  expect(bar).toEqual({ name: 'web', used: 1.8, limit: 2.5, most: 3 });
});

it('counts from the last change on, and says nothing at its very moment', () => {
  const totals = new Map([[0, { runNs: 200 }]]);
  const since = { atNs: 600, totals } as unknown as Parameters<typeof limitBars>[0]['since'];
  const [bar] = limitBars({ ...lane({}, 1_000, [300, 100, 0]), since });
  expect(bar?.used).toBe(0.5);
  expect(limitBars({ ...lane({}, 600, [300, 100, 0]), since })).toEqual([]);
  expect(limitBars(lane({}, 0, [0, 0, 0]))).toEqual([]);
});
