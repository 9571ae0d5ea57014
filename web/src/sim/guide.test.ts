import { describe, expect, it } from 'vitest';
import { checked, normal } from './test-core';
import type { Scenario } from './types/Scenario';
import { withFittingGuide, withGuideOf } from './guide';

const was = normal({
  version: 1,
  name: 'test',
  ask: 'Four jobs: does each get its own?',
  machine: 'i7860',
  schedulers: [{ id: 'bfs' }, { id: 'random' }],
  groups: [
    { name: 'dhry', count: 4, behaviour: { kind: 'dhrystone' } },
    { name: 'sh', count: 2, behaviour: { kind: 'dhrystone' } },
  ],
  end: { atNs: 1e9 },
  opening: { moment: 'sharedCore', select: 'dhry-4' },
  answer: { measure: 'share', of: 'dhry-4' },
  controls: [
    { kind: 'processes' },
    { kind: 'nice', group: 'sh' },
    { kind: 'tunable', id: 'hz', lane: 0 },
    { kind: 'tunable', id: 'rrIntervalMs' },
  ],
  moments: ['sharedCore'],
  thumb: 'machine',
});

/** The rest of the guide; the core must accept it. */
function guideOf(change: Partial<Scenario>) {
  const scenario = withFittingGuide({ ...was, ...change }, was);
  expect(checked(scenario).errors).toEqual([]);
  const { ask, opening, answer, moments, thumb } = scenario;
  return {
    ask,
    opening,
    answer,
    moments,
    thumb,
    controls: scenario.controls.map((c) => c.id ?? c.kind),
  };
}

const [dhry, sh] = was.groups as [Scenario['groups'][number], Scenario['groups'][number]];

/** Each makes another run, to which neither question nor answer belongs. */
const OTHER: Readonly<Record<string, Partial<Scenario>>> = {
  machine: { machine: 'v890' },
  behaviour: { groups: [{ ...dhry, behaviour: { kind: 'compute', params: {} } }, sh] },
  group: { groups: [dhry] },
};

/** Each makes another run, of which question and answer may still be true. */
const CHANGES: Readonly<Record<string, Partial<Scenario>>> = {
  lanes: { schedulers: was.schedulers.slice(1) },
  tunables: { schedulers: was.schedulers.map((s) => ({ ...s, tunables: { x: 1 } })) },
  processes: { groups: [{ ...dhry, count: dhry.count + 1 }, sh] },
  background: { background: {} },
  timing: { timing: { ...was.timing, tickPhase: 'aligned' } },
  edits: { edits: [{ atNs: 1, set: { 'groups.dhry.count': 0 } }] },
};

describe('the guide of what was opened', () => {
  it.each(Object.entries(OTHER))('disappears with a change of %s', (_, change) => {
    const { ask, answer, opening } = withGuideOf({ ...was, ...change }, was);
    expect([ask, answer, opening]).toEqual(['', undefined, undefined]);
  });

  it.each(Object.entries({ ...OTHER, ...CHANGES }))(
    'loses its opening with a change of %s, and comes back',
    (_, change) => {
      const changed = withGuideOf({ ...was, ...change }, was);
      expect(changed.opening).toBeUndefined();
      const back = Object.fromEntries(
        Object.keys(change).map((part) => [part, was[part as keyof Scenario]]),
      );
      const lost = { ...changed, ...back, controls: [] };
      expect(normal(withGuideOf(lost, was))).toEqual(was);
    },
  );

  it('stays where the run is the same', () => {
    for (const change of [{}, { seed: 9 }, { name: 'n' }, { end: { ...was.end, atNs: 5 } }]) {
      const scenario = { ...was, ...change };
      expect(withGuideOf(scenario, structuredClone(was))).toBe(scenario);
    }
  });

  it('does not replace a guide of its own', () => {
    const own = { ...was, ...CHANGES['processes'], ask: 'Mine?' };
    expect(withGuideOf(own, was)).toBe(own);
  });
});

describe('the guide of a changed scenario', () => {
  it('stays with the run that it is about', () => {
    const change = { seed: 9, end: { ...was.end, atNs: 5 }, name: 'mine' };
    const changed = { ...was, ...change };
    expect(withFittingGuide(changed, was)).toBe(changed);
  });

  it('keeps its question after a change of lanes, tunables, daemons or the CPUs of a group', () => {
    const groups = [{ ...dhry, allowed: [0] }, sh];
    const edits = [{ atNs: 1, set: { 'groups.dhry.nice': 3 } }];
    for (const change of [
      CHANGES['lanes'],
      {
        schedulers: was.schedulers.map((s) =>
          s.id === 'bfs' ? { ...s, tunables: { hz: 1000 } } : s,
        ),
      },
      CHANGES['background'],
      { groups },
      { edits },
    ])
      expect(guideOf({ ...change }).ask).toBe(was.ask);
  });

  it('asks nothing about nice when nice was changed', () => {
    const own = { ...was, ask: 'What is nice 20 worth?' };
    const edits = [{ atNs: 1, set: { 'groups.dhry.nice': 3 } }];
    expect(withFittingGuide({ ...own, edits }, own).ask).toBe('');
    const allowed = [{ atNs: 1, set: { 'groups.dhry.allowed': [0] } }];
    expect(withFittingGuide({ ...own, edits: allowed }, own).ask).toBe(own.ask);
  });

  it('names no scheduler that is gone, and compares no tunables that are the same now', () => {
    const [bfs, random] = was.schedulers;
    if (!bfs || !random) throw new Error('two lanes');
    const named = { ...was, ask: 'When is the last job ready under BFS?' };
    expect(withFittingGuide({ ...named, schedulers: [random] }, named).ask).toBe('');
    expect(withFittingGuide({ ...named, schedulers: [bfs] }, named).ask).toBe(named.ask);
    const fast = { ...bfs, tunables: { hz: 1000 } };
    const twins = { ...was, schedulers: [bfs, fast] };
    expect(withFittingGuide({ ...twins, schedulers: [bfs, bfs] }, twins).ask).toBe('');
    expect(withFittingGuide({ ...twins, schedulers: [fast, bfs] }, twins).ask).toBe(twins.ask);
  });

  it('keeps an expression only beside its question', () => {
    const own = { ...was, answer: { expression: 'metric(lane, jobWait)' } } satisfies Scenario;
    const answer = (change: Partial<Scenario>) =>
      withFittingGuide({ ...own, ...change }, own).answer;
    expect(answer({ background: {} })).toEqual(own.answer);
    expect(answer(CHANGES['processes'] ?? {})).toBeUndefined();
  });

  it('measures the same of more threads, without the fair value of the old number', () => {
    const own = { ...was, answer: { measure: 'throughput', fair: 4 } } satisfies Scenario;
    const more = withFittingGuide({ ...own, ...CHANGES['processes'] }, own);
    expect([more.ask, more.answer]).toEqual(['', { measure: 'throughput' }]);
    // It is the origin's, not the reader's own: undo brings the whole back.
    const back = withGuideOf({ ...more, groups: was.groups }, own);
    expect([back.ask, back.answer]).toEqual([own.ask, own.answer]);
  });

  it('loses question and opening with other threads', () => {
    expect(guideOf({ groups: [{ ...dhry, count: 1 }, sh] })).toEqual({
      ask: '',
      opening: undefined,
      answer: undefined,
      moments: ['sharedCore'],
      thumb: 'machine',
      controls: ['processes', 'nice', 'hz', 'rrIntervalMs'],
    });
    expect(guideOf({ groups: [dhry] }).controls).toEqual(['processes', 'hz', 'rrIntervalMs']);
  });

  it('keeps no control of a scheduler that is gone', () => {
    const [bfs, random] = was.schedulers as [
      Scenario['schedulers'][number],
      Scenario['schedulers'][number],
    ];
    const controls = (schedulers: Scenario['schedulers']) => guideOf({ schedulers }).controls;
    expect(controls([random, bfs])).toEqual(['processes', 'nice']);
    expect(controls([bfs])).toEqual(['processes', 'nice', 'hz']);
    expect(controls([bfs, random, random])).toEqual(['processes', 'nice', 'hz', 'rrIntervalMs']);
  });
});
