import { describe, expect, it } from 'vitest';
import { Frame, FrameSchema, TaskState } from './frame';
import { Host } from './host';
import type { Past } from './protocol';
import { realCore } from './test-core';
import type { Scenario } from './types/Scenario';

const host = new Host(realCore, {
  clock: () => performance.now(),
  breathe: () => Promise.resolve(),
  alive: () => undefined,
});

const SCHEDULERS = ['bfs', 'cfs', '4bsd', 'ule'];
const NOW = 400e6;

async function open(scenario: unknown, at: number) {
  const result = await host.configure({ scenario: scenario as Scenario, at });
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.moment.lanes;
}

const openCrowd = () =>
  open(
    {
      version: 1,
      name: 'a crowd that sleeps and is balanced',
      seed: 1,
      machine: 'i7860',
      schedulers: SCHEDULERS.map((id) => ({ id })),
      groups: [
        { name: 'hog', count: 11, behaviour: { kind: 'compute' } },
        { name: 'type', count: 6, behaviour: { kind: 'interactive' } },
      ],
      end: { atNs: 60e9 },
    },
    NOW,
  );

function slicesOf(lane: number): Float64Array {
  const args = { lane, fromNs: 0, toNs: NOW, columns: 10, most: 100_000 };
  const past: Past = host.past(args);
  if (past.kind !== 'slices') throw new Error('too many slices');
  return past.rows;
}

describe('why', () => {
  it.each(SCHEDULERS.map((id, lane) => [id, lane] as const))(
    'a slice of %s ran is a decision about its thread and its CPU',
    async (_, lane) => {
      await openCrowd();
      const rows = slicesOf(lane);
      let seen = 0;
      for (let i = 0; i < rows.length; i += 10) {
        const [cpu = 0, from = 0, to = 0, task = -1, , decision = -1] = rows.subarray(i, i + 10);
        const middle = Math.floor((from + to) / 2);
        // A slice that began with the run has no decision.
        if (from === 0 || to >= NOW || middle <= from || i % 70 !== 0) continue;
        const why = host.explain(lane, { kind: 'slice', cpu, atNs: middle });
        expect(why.slice).toMatchObject({ fromNs: from, task });
        expect(why.decision?.id ?? -1).toBe(decision);
        if (task < 0 && why.decision) expect(why.decision.cpu).toBe(cpu);
        if (task < 0) continue;
        expect(why.decision?.task).toBe(task);
        expect(why.also?.task).toBe(task);
        if (why.older !== null) expect(why.older).toBeLessThan(decision);
        seen += 1;
      }
      expect(seen).toBeGreaterThan(5);
    },
  );

  it('a thread is in its place is a decision about that thread', async () => {
    const lanes = await openCrowd();
    lanes.forEach((moment, lane) => {
      const schema = new FrameSchema(host.catalog, SCHEDULERS[lane] ?? '');
      const frame = new Frame(schema, moment.frame);
      const state = frame.task('state');
      for (let task = 0; task < frame.tasks; task++) {
        if (state[task] !== TaskState.running && state[task] !== TaskState.queued) continue;
        const { decision } = host.explain(lane, { kind: 'thread', task });
        expect(decision?.task).toBe(task);
      }
    });
  });

  it('is known for decisions that are no longer kept', async () => {
    await open(
      {
        version: 1,
        name: 'threads that only yield',
        seed: 1,
        machine: 'i7860',
        schedulers: [{ id: 'bfs' }],
        groups: [
          { name: 'y', count: 12, behaviour: { kind: 'yieldLoop', params: { yields: 1_000_000 } } },
        ],
        end: { atNs: 60e9 },
      },
      0,
    );
    await host.seek(1e6);
    const [asked] = host.decisions({ ...ANY, from: 0, newer: true, max: 1 });
    let first = asked;
    // The log begins later when it is full.
    for (let ms = 5; ms < 5_000 && first?.id === 0; ms += 5) {
      await host.seek(ms * 1e6);
      [first] = host.decisions({ ...ANY, from: 0, newer: true, max: 1 });
    }
    expect(first?.id).toBeGreaterThan(0);
    const { decision } = host.explain(0, { kind: 'decisions', decision: 0, also: -1 });
    expect(decision).toMatchObject({ id: 0, reason: asked?.reason, operands: asked?.operands });
  });
});

const ANY = { lane: 0, task: -1, cpu: -1, kind: '' };
