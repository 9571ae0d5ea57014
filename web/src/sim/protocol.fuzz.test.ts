/** The worker's side answers or refuses any requests in any order; they never break the core. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakageOf } from './broken';
import { Host } from './host';
import type { DecisionQuery, StepKind } from './protocol';
import { ALL, type Edit, editOf } from './property/edit';
import { realCore } from './test-core';
import type { Scenario } from './types/Scenario';

const host = new Host(realCore, {
  clock: () => 0,
  breathe: () => Promise.resolve(),
  alive: () => undefined,
});
const scenario = {
  ...(host.catalog.scenarios[0]?.scenario as Scenario),
  end: { atNs: 100_000_000 },
} as Scenario;

const number = fc.oneof(
  fc.integer({ min: -2, max: 100_000_000 }),
  fc.integer({ min: 0, max: 12 }),
  fc.constantFrom(-1, 0, 0.5, 1e300, Number.NaN, Infinity, -0, 2 ** 53),
);
/** Sizes come from the page's own width, so they are limited. */
const size = fc.integer({ min: 0, max: 20_000 });
const word = fc.oneof(
  fc.constantFrom<string>('event', 'tick', 'decision', 'switch', 'migration', 'runDelay'),
  fc.string({ maxLength: 8 }),
);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(word, number).map(([group, count]) => editOf(['groups', group, 'count'], count)),
  number.map((nice) => editOf(['groups', ALL, 'nice'], nice)),
  fc.nat({ max: 50 }).map((n) => editOf(['groups', ALL, 'count'], `-${String(n)}`)),
  fc.array(fc.nat({ max: 9 })).map((cpus) => editOf(['groups', ALL, 'allowed'], cpus)),
  word.map((thread) => ({ copy: thread })),
);
const call: fc.Arbitrary<() => unknown> = fc.oneof(
  number.map((ns) => () => host.advance(ns)),
  fc.tuple(number, fc.option(fc.record({ lane: number, event: number }))).map(
    ([ns, position]) =>
      () =>
        host.seek(ns, position),
  ),
  fc
    .record({
      lane: number,
      kind: word as fc.Arbitrary<StepKind>,
      back: fc.boolean(),
      about: fc.record({ task: number, cpu: number }),
    })
    .map((args) => () => host.step(args)),
  fc
    .record({ edit, lane: fc.option(number), drag: fc.option(fc.integer({ min: 1, max: 2 })) })
    .map((args) => () => host.edit(args)),
  fc
    .record({
      lane: number,
      from: number,
      newer: fc.boolean(),
      max: size,
      task: number,
      cpu: number,
      kind: word,
    })
    .map((query: DecisionQuery) => () => host.decisions(query)),
  fc
    .record({ lane: number, fromNs: number, toNs: number, columns: size, most: size })
    .map((args) => () => host.past(args)),
  fc
    .record({ lane: number, fromNs: number, toNs: number, tasks: fc.array(number), most: size })
    .map((args) => () => host.samples(args)),
  fc
    .record({ lane: number, fromNs: number, toNs: number })
    .map((args) => () => host.limitsPast(args)),
  fc.tuple(number, word).map(
    ([lane, id]) =>
      () =>
        host.histogram(lane, id),
  ),
  fc.tuple(number, number).map(
    ([lane, n]) =>
      () =>
        host.explain(lane, { kind: 'decisions', decision: n, also: n + 1 }),
  ),
  fc.tuple(number, number, number).map(
    ([lane, cpu, atNs]) =>
      () =>
        host.explain(lane, { kind: 'slice', cpu, atNs }),
  ),
  fc.tuple(number, number).map(
    ([lane, task]) =>
      () =>
        host.explain(lane, { kind: 'thread', task }),
  ),
  fc.tuple(number, number, word).map(
    ([lane, n, group]) =>
      () =>
        host.explain(lane, { kind: 'held', task: n, cpu: n, group }),
  ),
  number.map((lane) => () => host.reasonCounts(lane)),
  number.map((lane) => () => host.moves(lane)),
  fc.option(number).map((cpu) => () => host.watch(cpu)),
  fc.tuple(number, number).map((lanes) => () => host.compare(lanes)),
);

describe('the protocol of the worker', () => {
  it('breaks nothing, whatever the requests', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 12 }), async (calls) => {
        await host.configure({ scenario, at: 0 });
        for (const ask of calls) {
          try {
            await ask();
          } catch (error) {
            expect(breakageOf(error, 0)).toBeNull();
          }
        }
        host.watch(null);
        expect(host.look().lanes).toHaveLength(scenario.schedulers.length);
      }),
      {
        // A broken core stays broken, so shrinking would only find that.
        endOnFailure: true,
        numRuns: Number(process.env['TIMESLICE_CASES'] ?? 60),
        seed: Number(process.env['TIMESLICE_FUZZ_SEED'] ?? 318),
      },
    );
  });
});
