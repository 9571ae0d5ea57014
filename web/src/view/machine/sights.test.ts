import { describe, expect, it } from 'vitest';
import { Host } from '../../sim/host';
import type { Why } from '../../sim/protocol';
import { realCore } from '../../sim/test-core';
import type { MomentKind } from '../../sim/types/MomentKind';
import type { Sight } from '../../state/shown-moment.svelte';
import { LaneState } from '../../state/lane.svelte';
import { heldOf, idleBesideWaiting, refusalOf } from './refusals';
import { sightsOf } from './sights';

const host = new Host(realCore, {
  clock: () => performance.now(),
  breathe: () => Promise.resolve(),
  alive: () => undefined,
});

const KINDS: readonly MomentKind[] = [
  'refusal',
  'sharedCore',
  'steal',
  'balance',
  'migration',
  'wait',
  'exit',
  'wakeup',
];

const MOST = 3;

/** Requests the refusals of idle CPUs, as the view of a machine does. */
function refusedNow(lane: LaneState) {
  const isBackground = (task: number) => lane.isBackground(task);
  const found = idleBesideWaiting(lane.frame, isBackground).flatMap((cpu) => {
    const query = { lane: lane.index, from: -1, newer: false, max: 3, task: -1, kind: '', cpu };
    return host.decisions(query).flatMap((d) => refusalOf(lane.scheduler, d) ?? []);
  });
  return heldOf(found, lane.frame, isBackground);
}

/** All moments that are found in a scenario in a number of pictures, with the answer to its question. */
async function watch(
  scenario: unknown,
  { at, stepNs, pictures }: { at: number; stepNs: number; pictures: number },
): Promise<readonly { sight: Sight; why: Why; fromNs: number; nowNs: number }[]> {
  const result = await host.configure({ scenario, at });
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  const { moment, tree } = result;
  const context = { catalog: host.catalog, tree };
  const lanes = moment.lanes.flatMap((first, i) => {
    const choice = result.scenario.schedulers[i];
    return choice ? [new LaneState(i, choice, context, first)] : [];
  });
  const all = [];
  /** Most moments of each kind and lane: explaining one needs another run. */
  const told = new Map<string, Set<string>>();
  for (let i = 1; i <= pictures; i++) {
    const fromNs = at + (i - 1) * stepNs;
    let now = host.advance(at + i * stepNs);
    while (now.nowNs < at + i * stepNs && !now.finished) {
      now.lanes.forEach((lane, n) => lanes[n]?.take(lane));
      now = host.advance(at + i * stepNs);
    }
    now.lanes.forEach((lane, n) => lanes[n]?.take(lane));
    for (const lane of lanes) {
      const since = { happened: fromNs, began: -1, until: now.nowNs };
      for (const sight of sightsOf(lane, KINDS, since, refusedNow(lane))) {
        const of = `${sight.kind} ${String(lane.index)}`;
        const known = told.get(of) ?? new Set();
        if (known.size >= MOST || known.has(sight.asked.key)) continue;
        told.set(of, known.add(sight.asked.key));
        const why = host.explain(lane.index, sight.asked.of);
        all.push({ sight, fromNs, nowNs: now.nowNs, why });
      }
    }
  }
  return all;
}

const ALL = ['bfs', 'cfs', '4bsd', 'ule'];
const hog = (count: number) => ({
  name: 'hog',
  count,
  behaviour: { kind: 'compute', params: { workMs: 300 } },
});
const scenario = (machine: string, groups: readonly unknown[]) => ({
  version: 1,
  name: 'test',
  seed: 1,
  machine,
  schedulers: ALL.map((id) => ({ id })),
  groups,
  background: { daemons: {}, kernelThreads: {} },
  end: { atNs: 60e9 },
});

describe('moments of a lane', () => {
  it.each([
    [
      'a crowd that sleeps',
      scenario('i7860', [hog(11), { name: 'type', count: 6, behaviour: { kind: 'interactive' } }]),
      { at: 0, stepNs: 2e6, pictures: 300 },
      ['refusal', 'steal', 'balance', 'migration', 'wait', 'wakeup'],
    ],
    [
      'fewer threads than cores',
      scenario('i7860', [hog(4)]),
      { at: 20e6, stepNs: 400_000, pictures: 800 },
      ['sharedCore', 'steal', 'migration', 'exit'],
    ],
    [
      'more threads than CPUs',
      scenario('v890', [hog(18)]),
      { at: 300e6, stepNs: 5e6, pictures: 100 },
      ['steal', 'balance', 'migration', 'wait', 'exit'],
    ],
  ] as const)(
    'are at the time of a decision that their card shows: %s',
    async (_, of, when, kinds) => {
      const found = await watch(of, when);
      expect([...new Set(found.map(({ sight }) => sight.kind))]).toEqual(
        expect.arrayContaining([...kinds]),
      );
      for (const { sight, why, fromNs, nowNs } of found) {
        const what = `${sight.kind} in lane ${String(sight.lane)}: ${sight.words[0]}`;
        // Two threads share a core from the second one's coming on, or from when another core has no job.
        const decided = [why.decision?.atNs, why.also?.atNs];
        if (sight.kind === 'sharedCore')
          expect(Math.min(...decided.map((ns) => ns ?? Infinity)), what).toBeLessThanOrEqual(
            sight.atNs,
          );
        else expect(decided, what).toContain(sight.atNs);
        expect(sight.atNs, what).toBeLessThanOrEqual(nowNs);
        const lasts = ['refusal', 'sharedCore', 'wait'].includes(sight.kind);
        if (!lasts) expect(sight.atNs, what).toBeGreaterThan(fromNs);
      }
    },
  );

  it('include no waits of threads that run at the end of the instant', async () => {
    const shipped = host.catalog.scenarios.find(({ id }) => id === 's2e-one-thread-per-core');
    const result = await host.configure({ scenario: shipped?.scenario, at: 0 });
    if ('problems' in result) throw new Error(JSON.stringify(result.problems));
    const { moment, scenario: read, tree } = result;
    const [first] = moment.lanes;
    const [choice] = read.schedulers;
    if (!first || !choice) throw new Error('no lane');
    const lane = new LaneState(0, choice, { catalog: host.catalog, tree }, first);
    expect(lane.frame.queue()).not.toEqual([]);
    const since = { happened: -1, began: -1 };
    expect(sightsOf(lane, ['wait'], { ...since, until: moment.nowNs }, [])).toEqual([]);
    expect(sightsOf(lane, ['wait'], { ...since, until: Infinity }, [])).toHaveLength(1);
  });
});
