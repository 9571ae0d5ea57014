/** One worker and several workers give the same answers. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type Fault, SimClient, type WorkerLike } from './client';
import { LaneGroup } from './lane-group';
import type { CallName, Calls, LaneUpdate, LanesUpdate, Reply, StepKind } from './protocol';
import type { Edit } from './property/edit';
import { realCore, withLanes } from './test-core';
import { TestWorker } from './test-worker';
import type { Catalog } from './types/Catalog';

const catalog = JSON.parse(realCore.catalog()) as Catalog;
const NOW = catalog.frame.header.indexOf('nowNs');
const WIDTH = catalog.frame.trace.length;
const ANY = { task: -1, cpu: -1 };

const four: unknown = {
  version: 1,
  name: 'four lanes',
  machine: 'i7860',
  schedulers: [{ id: 'cfs' }, { id: 'bfs' }, { id: 'bfs' }, { id: 'ule' }],
  groups: [
    { name: 'hog', count: 9, behaviour: { kind: 'compute' } },
    { name: 'type', count: 4, behaviour: { kind: 'interactive' } },
  ],
  edits: [{ atNs: 5_000_000, set: { 'groups.*.nice': 3 } }],
  end: { atNs: 2e9 },
};

/** A client with up to `most` workers, and the workers. */
function setUp(most: number, spawn: (nth: number) => WorkerLike = () => new TestWorker()) {
  const workers: WorkerLike[] = [];
  const faults: Fault[] = [];
  const client = new SimClient(
    () =>
      new LaneGroup(() => {
        const worker = spawn(workers.length);
        workers.push(worker);
        return worker;
      }, most),
    (fault) => faults.push(fault),
  );
  client.respawn();
  return { client, workers, faults };
}

async function configured(
  client: SimClient,
  scenario: unknown,
  at: number | 'opening',
): Promise<LanesUpdate> {
  const made = await client.call('configure', { scenario, at });
  if ('problems' in made) throw new Error(JSON.stringify(made.problems));
  return made.moment;
}

const timesOf = ({ lanes }: LanesUpdate) => lanes.map((lane) => lane.frame[NOW]);
const digestsOf = ({ lanes }: LanesUpdate) => lanes.map((lane) => lane.digest);

/** Records of a lane as the page collects them. */
class Gathered {
  rows: number[] = [];
  take({ trace, traceContinues }: LaneUpdate): void {
    this.rows = traceContinues ? [...this.rows, ...trace] : [...trace];
  }
  get last(): readonly number[] {
    return this.rows.slice(-50 * WIDTH);
  }
}

type Ask = { [K in CallName]: { kind: K; args: Calls[K]['args'] } }[CallName];

/** Sends one request after the other; returns everything in the answers that does not depend on real time. */
async function told(most: number, scenario: unknown, asks: readonly Ask[]): Promise<unknown[]> {
  const { client, faults } = setUp(most);
  const all: unknown[] = [];
  const gathered: Gathered[] = [];
  const tell = (moment: LanesUpdate): unknown => {
    moment.lanes.forEach((lane, i) => (gathered[i] ??= new Gathered()).take(lane));
    return {
      ...moment,
      workMs: 0,
      lanes: moment.lanes.map(({ trace: _, traceContinues: __, trail: ___, ...lane }, i) => ({
        ...lane,
        rows: gathered[i]?.last,
      })),
    };
  };
  const isMoment = (value: unknown): value is LanesUpdate =>
    typeof value === 'object' && value !== null && 'lanes' in value;
  const first = await client.call('configure', { scenario, at: 0 });
  all.push('moment' in first ? tell(first.moment) : first);
  for (const { kind, args } of asks) {
    try {
      if (kind === 'advance') {
        // How far a slice of work gets depends on real time.
        let moment = await client.call('advance', args);
        let before = -1;
        while (moment.nowNs < args.untilNs && moment.nowNs > before) {
          before = moment.nowNs;
          tell(moment);
          moment = await client.call('advance', args);
        }
        tell(moment);
        all.push(tell(await client.call('look', null)));
        continue;
      }
      const value: unknown = await client.call(kind, args as never);
      const { moment } = (value ?? {}) as { moment?: LanesUpdate };
      if (isMoment(value)) all.push(tell(value));
      else all.push(moment ? { ...(value as object), parts: 0, moment: tell(moment) } : value);
    } catch (error) {
      all.push(String(error));
    }
  }
  expect(faults).toEqual([]);
  client.dispose();
  return all;
}

const edit = (made: Edit, lane: number | null = null, drag: number | null = null): Ask => ({
  kind: 'edit',
  args: { edit: made, lane, drag },
});
const seek = (ns: number): Ask => ({ kind: 'seek', args: { ns } });
const advance = (untilNs: number): Ask => ({ kind: 'advance', args: { untilNs } });
const step = (lane: number, kind: StepKind, back = false): Ask => ({
  kind: 'step',
  args: { lane, kind, back, about: ANY },
});

describe.each([2, 3, 4])('%i workers answer like one', (most) => {
  const same = async (scenario: unknown, asks: readonly Ask[]) => {
    const several = await told(most, scenario, asks);
    expect(several).toEqual(await told(1, scenario, asks));
    return several;
  };

  it('about time that passes, jumps and steps', async () => {
    await same(four, [
      advance(30_000_000),
      seek(400_000_000),
      seek(120_000_000),
      step(1, 'switch'),
      step(3, 'migration'),
      step(0, 'switch', true),
      step(2, 'tick'),
      { kind: 'watch', args: { cpu: 2 } },
      advance(150_000_000),
      seek(2e9),
      step(2, 'switch'),
    ]);
  });

  it('about one lane', async () => {
    const window = { fromNs: 0, toNs: 50_000_000 };
    await same(
      four,
      [0, 1, 2, 3, 4, -1].flatMap((lane): Ask[] => [
        seek(60_000_000),
        {
          kind: 'decisions',
          args: { lane, from: -1, newer: false, max: 5, kind: '', ...ANY },
        },
        { kind: 'past', args: { lane, ...window, columns: 10, most: 5_000 } },
        { kind: 'samples', args: { lane, ...window, tasks: [1, 2], most: 10 } },
        { kind: 'limitsPast', args: { lane, ...window } },
        { kind: 'histogram', args: { lane, id: 'runDelay' } },
        { kind: 'moves', args: { lane } },
        { kind: 'reasonCounts', args: { lane } },
        { kind: 'explain', args: { lane, of: { kind: 'thread', task: 3 } } },
      ]),
    );
  });

  it('about edits, in all lanes or in one, also in a drag', async () => {
    const [first] = catalog.schedulers.filter((s) => s.id === 'cfs');
    const tunable = first?.eras[0]?.tunables.find((t) => t.live && t.kind.type === 'int');
    if (tunable?.kind.type !== 'int') throw new Error('no tunable');
    const value = tunable.kind.max;
    const count = (n: number, drag: number, lane: number | null = null) =>
      edit({ set: { 'groups.hog.count': n } }, lane, drag);
    await same(four, [
      seek(50_000_000),
      edit({ set: { 'groups.*.nice': 5 } }),
      edit({ set: { [`lanes.*.${tunable.id}`]: value } }),
      edit({ set: { 'lanes.*.nothing': 1 } }),
      count(12, 1),
      count(15, 1),
      count(6000, 1),
      count(11, 1),
      count(5, 2, 3),
      count(9, 3),
      advance(90_000_000),
      seek(50_000_000),
      count(4, 3),
      { kind: 'look', args: null },
    ]);
  });

  it('about the first difference of two lanes', async () => {
    const asks = (lanes: readonly [number, number]): Ask[] => [
      { kind: 'compare', args: { lanes } },
      { kind: 'look', args: null },
      edit({ set: { 'threads.hog-1.nice': 15 } }, lanes[1]),
      advance(400_000_000),
      seek(50_000_000),
      { kind: 'look', args: null },
      edit({ set: { 'groups.*.nice': 3 } }),
      advance(200_000_000),
    ];
    const of = async (lanes: readonly [number, number]) =>
      (await same(four, [seek(100_000_000), ...asks(lanes)])).map(
        (value) => (value as { differNs?: number | null } | null)?.differNs,
      );
    const differ = await of([1, 2]);
    expect(differ.filter((ns) => typeof ns === 'number').length).toBeGreaterThan(1);
    expect(differ[3]).toBeNull();
    expect((await of([0, 3]))[3]).toBeLessThan(100_000_000);
    await same(four, [{ kind: 'compare', args: { lanes: [0, 4] } }, ...asks([3, 3])]);
  });

  it('about a lane whose scheduler fails while the others go on', async () => {
    const fault = { atNs: 0, hook: 'pick_next', task: 1, cpu: 2, message: 'it answered …' };
    const faulty = () =>
      withLanes((lane, i) => {
        if (i !== 1) return lane;
        return new Proxy(lane, {
          get: (of, key: keyof typeof lane) => {
            if (key === 'fault') return () => JSON.stringify(fault);
            if (key === 'is_finished') return () => true;
            if (key === 'advance') return () => of.now();
            return (of[key] as (...args: unknown[]) => unknown).bind(of);
          },
        });
      });
    const { client } = setUp(most, () => new TestWorker(faulty()));
    await configured(client, four, 0);
    const moment = await client.call('seek', { ns: 20_000_000 });
    expect(moment.lanes.map((lane) => lane.fault)).toEqual([null, fault, null, null]);
    expect(moment).toMatchObject({ nowNs: 20_000_000, finished: false });
  });

  it('about a scenario that is refused, and the old one goes on', async () => {
    await same(four, [
      seek(10_000_000),
      { kind: 'configure', args: { scenario: { ...(four as object), groups: 3 }, at: 0 } },
      { kind: 'look', args: null },
      advance(20_000_000),
    ]);
  });

  it('about any requests in any order', { timeout: 300_000 }, async () => {
    const ns = fc.oneof(fc.nat({ max: 60_000_000 }), fc.constantFrom(0, -1, 5_000_000, 2e9));
    const lane = fc.constantFrom(0, 1, 2, 3, 4, -1, 0.5);
    const kind = fc.constantFrom<StepKind>('switch', 'migration', 'tick', 'event', 'exit');
    const made: fc.Arbitrary<Edit> = fc.oneof(
      fc
        .tuple(fc.constantFrom('hog', 'type', 'nobody'), fc.nat({ max: 14 }))
        .map(([name, count]) => ({ set: { [`groups.${name}.count`]: count } })),
      fc.integer({ min: -20, max: 21 }).map((nice) => ({ set: { 'groups.*.nice': nice } })),
      fc.constant<Edit>({ set: { 'threads.*': null } }),
    );
    const ask: fc.Arbitrary<Ask> = fc.oneof(
      ns.map(seek),
      ns.map(advance),
      fc.tuple(lane, kind, fc.boolean()).map((args) => step(...args)),
      fc
        .tuple(
          made,
          fc.option(fc.constantFrom(0, 1, 2, 3)),
          fc.option(fc.integer({ min: 1, max: 2 })),
        )
        .map((args) => edit(...args)),
      fc
        .tuple(lane, lane)
        .map((lanes): Ask => ({ kind: 'compare', args: { lanes: [...lanes] as const } })),
      fc.constant<Ask>({ kind: 'look', args: null }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(ask, { minLength: 2, maxLength: 8 }), async (asks) => {
        await same(four, asks);
      }),
      { numRuns: Number(process.env['TIMESLICE_CASES'] ?? 12), seed: most },
    );
  });
});

describe('lanes in several workers', () => {
  it('open where those of one worker do', { timeout: 60_000 }, async () => {
    const shipped = catalog.scenarios.map(({ id, scenario }) => ({
      id,
      scenario: scenario as unknown,
    }));
    const short = catalog.scenarios.find(({ id }) => id === 's1-yield-storm');
    // One of its lanes has finished before the moment that is found.
    const silent = { id: 'silent', scenario: { ...short?.scenario, opening: undefined } };
    for (const { id, scenario } of [...shipped, silent]) {
      const of = async (most: number) => {
        const { client } = setUp(most);
        const moment = await configured(client, scenario, 'opening');
        client.dispose();
        return { nowNs: moment.nowNs, digests: digestsOf(moment), edits: moment.edits };
      };
      expect(await of(4), id).toEqual(await of(1));
    }
  });

  it('begin at a position of one of them', async () => {
    const { client } = setUp(1);
    await configured(client, four, 100_000_000);
    const { moment, atNs } = await client.call('step', {
      lane: 2,
      kind: 'event',
      back: false,
      about: ANY,
    });
    const event = moment.lanes[2]?.frame[catalog.frame.header.indexOf('events')] ?? 0;
    const args = { scenario: four, at: atNs, position: { lane: 2, event } };
    const made = await Promise.all(
      [1, 4].map((most) => setUp(most).client.call('configure', args)),
    );
    const [one, several] = made.map((m) => ('moment' in m ? digestsOf(m.moment) : []));
    expect(several).toEqual(one);
  });

  it('get the scenario once each, as the core reads it, and one message for each picture', async () => {
    const read: string[] = [];
    const counting = {
      ...realCore,
      plan: (json: string) => (read.push(json), realCore.plan(json)),
    };
    const { client, workers } = setUp(4, () => new TestWorker(counting));
    const made = await client.call('configure', { scenario: four, at: 20_000_000 });
    expect(workers).toHaveLength(4);
    const normal = 'scenario' in made ? JSON.stringify(made.scenario) : '';
    expect(read).toEqual([JSON.stringify(four), normal, normal, normal]);
    const asked = () => workers.map((w) => (w as TestWorker).asked.length);
    for (const ns of [21e6, 22e6, 23e6]) {
      const before = asked();
      const moment = await client.call('advance', { untilNs: ns });
      expect(timesOf(moment)).toEqual([ns, ns, ns, ns]);
      expect(asked().map((n, i) => n - (before[i] ?? 0))).toEqual([1, 1, 1, 1]);
    }
    expect(read).toHaveLength(4);
  });

  it('stay in the first worker with one lane or one core, and earlier workers end', async () => {
    const ended: number[] = [];
    const { client, workers } = setUp(8, (nth) => {
      const worker = new TestWorker();
      worker.terminate = () => ended.push(nth);
      return worker;
    });
    await configured(client, four, 0);
    expect(workers).toHaveLength(4);
    const schedulers = [{ id: 'bfs' }];
    await configured(client, { ...(four as object), schedulers }, 0);
    expect(ended.sort()).toEqual([1, 2, 3]);
    expect((await client.call('seek', { ns: 5e6 })).lanes).toHaveLength(1);
    const alone = setUp(1);
    await configured(alone.client, four, 0);
    expect(alone.workers).toHaveLength(1);
  });

  it('wait for the slowest, and stand at the same time when time stands', async () => {
    // The second worker is suddenly so slow that a slice of work has time for only one piece.
    let ms = 0;
    let isSlow = false;
    const { client } = setUp(2, (nth) =>
      nth === 0
        ? new TestWorker(realCore, () => 0)
        : new TestWorker(realCore, () => (isSlow ? (ms += 20) : ms)),
    );
    await configured(client, four, 0);
    const gathered = [0, 1, 2, 3].map(() => new Gathered());
    const gather = ({ lanes }: LanesUpdate) => {
      lanes.forEach((lane, i) => gathered[i]?.take(lane));
      return gathered.map(({ last }) => last);
    };
    const advanced = async () => {
      const moment = await client.call('advance', { untilNs: 2e9 });
      gather(moment);
      const times = timesOf(moment) as number[];
      expect(moment.nowNs).toBe(Math.min(...times));
      return { atNs: moment.nowNs, aheadNs: Math.max(...times) };
    };
    for (let i = 0; i < 4; i++) {
      const { atNs, aheadNs } = await advanced();
      expect(atNs).toBe(aheadNs);
    }
    isSlow = true;
    const { atNs, aheadNs } = await advanced();
    expect(atNs).toBeLessThan(aheadNs);
    // No lane goes on before all have reached the time of the first of them.
    const next = await advanced();
    expect(next.atNs).toBeGreaterThan(atNs);
    expect(next.atNs).toBeLessThan(aheadNs);
    expect(next.aheadNs).toBe(aheadNs);
    const still = await client.call('look', null);
    expect(new Set(timesOf(still)).size).toBe(1);
    const rows = gather(still);
    const direct = await configured(setUp(1).client, four, still.nowNs);
    expect(digestsOf(still)).toEqual(digestsOf(direct));
    // The answers on the way fit together.
    expect(rows).toEqual(gather(direct));
  });

  it.each(['halt', 'cancelSeek'] as const)(
    'stand at the same time after they were stopped on their way (%s)',
    async (how) => {
      let ms = 0;
      const { client } = setUp(3, (nth) => new TestWorker(realCore, () => (ms += nth + 1)));
      await configured(client, four, 0);
      const reached: number[] = [];
      client.onReached = (ns) => {
        reached.push(ns);
        if (reached.length === 20) void client.call(how, null);
      };
      const moment = await client.call('seek', { ns: 2e9 });
      expect(moment.nowNs).toBeLessThan(2e9);
      expect(moment.nowNs).toBeGreaterThan(0);
      expect(new Set(timesOf(moment))).toEqual(new Set([moment.nowNs]));
      const { client: one } = setUp(1);
      expect(digestsOf(moment)).toEqual(digestsOf(await configured(one, four, moment.nowNs)));
    },
  );

  it('give up a seek for another scenario', async () => {
    const { client } = setUp(3);
    await configured(client, four, 0);
    const old = client.call('seek', { ns: 2e9 });
    client.newEpoch();
    await expect(old).rejects.toThrow('superseded');
    const moment = await configured(client, four, 30_000_000);
    expect(moment.nowNs).toBe(30_000_000);
  });
});

describe('a worker that cannot start', () => {
  const broken = (begin: (worker: WorkerLike) => void) => {
    const worker: WorkerLike = {
      onmessage: null,
      onerror: null,
      postMessage: () => {
        setTimeout(() => {
          begin(worker);
        });
      },
      terminate: () => undefined,
    };
    return worker;
  };
  const say = (worker: WorkerLike, data: Reply) =>
    worker.onmessage?.({ data } as MessageEvent<Reply>);

  it.each<[string, () => WorkerLike]>([
    [
      'is refused',
      () => {
        throw new DOMException('no more workers', 'SecurityError');
      },
    ],
    ['does not load', () => broken((worker) => worker.onerror?.(new ErrorEvent('error')))],
    [
      'has no memory for the core',
      () =>
        broken((worker) => {
          say(worker, { kind: 'fault', cause: 'memory', message: 'no room' });
        }),
    ],
  ])('(%s) leaves all lanes to the first, and the run is whole', async (_, bad) => {
    const { client, workers, faults } = setUp(4, (nth) => (nth === 2 ? bad() : new TestWorker()));
    const moment = await configured(client, four, 40_000_000);
    const { client: one } = setUp(1);
    expect(digestsOf(moment)).toEqual(digestsOf(await configured(one, four, 40_000_000)));
    expect(faults).toEqual([]);
    // Nor is it tried again.
    const tried = workers.length;
    await configured(client, four, 0);
    expect(workers).toHaveLength(tried);
    expect((await client.call('advance', { untilNs: 1_000_000 })).lanes).toHaveLength(4);
  });

  it('(stays silent) is not waited for', async () => {
    vi.useFakeTimers();
    try {
      const { client, faults } = setUp(2, (nth) =>
        nth === 1 ? broken(() => undefined) : new TestWorker(),
      );
      const made = configured(client, four, 10_000_000);
      await vi.advanceTimersByTimeAsync(6_000);
      expect((await made).lanes).toHaveLength(4);
      expect(faults).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is reported like any other fault if it had started before', async () => {
    const { client, workers, faults } = setUp(2);
    await configured(client, four, 0);
    const asked = client.call('seek', { ns: 2e9 });
    const [, second] = workers;
    if (second) say(second, { kind: 'fault', cause: 'panic', message: 'no such queue' });
    await expect(asked).rejects.toThrow('superseded');
    expect(faults).toEqual([{ kind: 'panic', message: 'no such queue' }]);
  });

  it('is noticed if it falls silent while others go on', async () => {
    vi.useFakeTimers();
    try {
      const { client, workers, faults } = setUp(2);
      const made = configured(client, four, 0);
      await vi.advanceTimersByTimeAsync(100);
      await made;
      const [first, second] = workers;
      if (!first || !second) throw new Error('no workers');
      for (const worker of [first, second]) worker.postMessage = () => undefined;
      client.call('seek', { ns: 2e9 }).catch(() => undefined);
      for (let i = 0; i < 6; i++) {
        await vi.advanceTimersByTimeAsync(1_000);
        say(first, { kind: 'alive', reachedNs: 1 });
      }
      expect(faults).toEqual([{ kind: 'silence', message: 'no answer for 5 s' }]);
    } finally {
      vi.useRealTimers();
    }
  });
});
