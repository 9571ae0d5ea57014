import { describe, expect, it } from 'vitest';
import { Frame, FrameSchema, TaskState } from '../../sim/frame';
import { Host } from '../../sim/host';
import { realCore } from '../../sim/test-core';
import { measuresOf } from './list';

const host = new Host(realCore, {
  clock: () => performance.now(),
  breathe: () => Promise.resolve(),
  alive: () => undefined,
});

async function efficiencyOf(count: number): Promise<number> {
  const scenario = {
    version: 1,
    name: 'hogs',
    seed: 1,
    machine: 'v890',
    schedulers: [{ id: 'ule', era: '2011-11' }],
    groups: [{ name: 'hog', count, behaviour: { kind: 'compute' }, startSpacingNs: 0 }],
    end: { atNs: 20e9 },
  };
  const result = await host.configure({ scenario, at: 10e9 });
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  const [lane] = result.moment.lanes;
  if (!lane) throw new Error('no lane');
  const calm = new Frame(new FrameSchema(host.catalog, 'ule'), lane.frame);
  const names = lane.names;
  const found = measuresOf(host.catalog).find((m) => m.entry.id === 'efficiency');
  expect(calm.task('state')).toContain(TaskState.running);
  return (
    found?.value({
      calm,
      metrics: lane.metrics,
      isBackground: (t) => names?.groups[names.taskGroup[t] ?? -1]?.background === true,
    }) ?? Number.NaN
  );
}

describe('efficiency', () => {
  it('is 1 where every thread has a CPU, and where there are more than CPUs', async () => {
    expect(await efficiencyOf(8)).toBeCloseTo(1, 2);
    expect(await efficiencyOf(32)).toBeCloseTo(1, 2);
  });
});
