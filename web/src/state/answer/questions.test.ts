/** The question of every shipped scenario agrees with its measure, and its numbers with what runs on the machine. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Host } from '../../sim/host';
import { normal, realCore } from '../../sim/test-core';
import type { Scenario } from '../../sim/types/Scenario';
import type { MeasureId } from './measures';

const SCENARIOS = `${import.meta.dirname}/../../../../scenarios`;

/** The files, which may be newer than the package. */
const all = ['experiments', 'lessons/scenarios'].flatMap((folder) =>
  readdirSync(`${SCENARIOS}/${folder}`).map((file) => {
    const text = readFileSync(`${SCENARIOS}/${folder}/${file}`, 'utf8');
    return { id: file.replace('.json', ''), scenario: JSON.parse(text) as Scenario };
  }),
);

/** Words of questions, and the measures that answer them; the first that fits counts. */
type Expression =
  'metric(lane, jobWait)' | 'mean(latencies(lane, typist))' | 'p(responses(lane, worker), 99)';
const ANSWERS: readonly (readonly [RegExp, readonly (MeasureId | Expression)[]])[] = [
  [/how long does a request .*take/, ['p(responses(lane, worker), 99)']],
  [/how long does a key wait/, ['mean(latencies(lane, typist))']],
  [/how long does a job wait/, ['metric(lane, jobWait)']],
  [/waits? longest|how long do(es)? .* wait|who waits/, ['longestWait']],
  [/deadlines?/, ['missedDeadlines']],
  [/what does a switch cost/, ['switchCost']],
  [/clock/, ['clock']],
  [/when is every core equal|how full/, ['fullestCore']],
  [/when is the last|twice the time|one queue, or one|does the scheduler matter/, ['lastExit']],
  [/how much work/, ['workLost', 'throughput']],
  [/get its own|keeps them apart|place them/, ['throughput']],
  [/who gets what|what does .* (get|leave)|what is left for|worth/, ['share', 'leastShare']],
];

const COUNTED = /\b(\w+)(?: \w+)? (hogs?|jobs?|threads|typists|requests|cores?|CPUs?)\b/gi;
const ONES = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** The number that a word means; NaN if it means none. */
function meant(word: string): number {
  const small = word.toLowerCase();
  if (small === 'forty') return 40;
  return ONES.includes(small) ? ONES.indexOf(small) : Number(word);
}

const host = new Host(realCore, {
  clock: () => performance.now(),
  breathe: () => Promise.resolve(),
  alive: () => undefined,
});

describe('the question of', () => {
  it.each(all)('$id is answered by its measure', ({ scenario }) => {
    const question = scenario.ask.toLowerCase();
    const fit = ANSWERS.find(([words]) => words.test(question));
    expect(fit?.[1] ?? [], question).toContain(
      scenario.answer?.measure ?? scenario.answer?.expression,
    );
  });

  it.each(all)('$id is about the thread that it opens with', ({ scenario }) => {
    const { select } = scenario.opening ?? {};
    const of = scenario.answer?.of ?? '';
    if (typeof select !== 'string' || of === '') return;
    expect(select.replace(/-\d+$/, '')).toBe(of);
  });

  // The package without own policies knows no lane of them.
  const ordinary = all.filter(({ scenario }) =>
    scenario.schedulers.every(({ id }) => id !== 'own'),
  );

  it.each(ordinary)('$id names as many threads and cores as there are', async ({ scenario }) => {
    const result = await host.configure({ scenario: normal(scenario), at: 0 });
    if ('problems' in result) throw new Error('refused');
    const { core } = result.tree;
    const counts = scenario.groups.map(({ count }) => count);
    const forked = scenario.groups.map(({ behaviour }) => behaviour.params?.['threads']);
    const threads = [...counts, ...forked, counts.reduce((sum, n) => sum + n, 0)];
    for (const [part, number = '', what = ''] of scenario.ask.matchAll(COUNTED)) {
      const n = meant(number);
      if (Number.isNaN(n)) continue;
      const there = /core/i.test(what)
        ? [new Set(core).size]
        : /cpu/i.test(what)
          ? [core.length]
          : threads;
      expect(there, part).toContain(n);
    }
    const nth = /\b(fifth|ninth|third)\b/.exec(scenario.ask)?.[1];
    expect(nth, 'a thread that is not there').toBeUndefined();
  });
});
