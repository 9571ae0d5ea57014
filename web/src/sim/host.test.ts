import { beforeEach, describe, expect, it } from 'vitest';
import { Host } from './host';
import { realCore, withLanes } from './test-core';
import type { LanesUpdate } from './protocol';
import type { Edit } from './property/edit';
import type { Scenario } from './types/Scenario';

let breaths = 0;
const host = new Host(realCore, {
  clock: () => performance.now(),
  breathe: () => {
    breaths += 1;
    return Promise.resolve();
  },
  alive: () => undefined,
});
const scenario = host.catalog.scenarios[0]?.scenario as Scenario;
const digests = (m: LanesUpdate) => m.lanes.map((l) => l.digest);

/** An edit that stands alone. */
const edit = (made: Edit) => host.edit({ edit: made, lane: null, drag: null });

async function at(ns: number | 'opening', given: unknown = scenario): Promise<LanesUpdate> {
  const result = await host.configure({ scenario: given, at: ns });
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.moment;
}

describe('Host on the real core', () => {
  beforeEach(() => {
    breaths = 0;
  });

  it('takes all lanes to the same time, in slices of work that keep to their budget', async () => {
    await at(0);
    let moment = host.look();
    while (moment.nowNs < 200_000_000) {
      const before = performance.now();
      moment = host.advance(200_000_000);
      // Only guards against a slice of work that never ends; its length depends on the load of the computer.
      expect(performance.now() - before).toBeLessThan(2_000);
    }
    expect(moment.lanes).toHaveLength(scenario.schedulers.length);
    const times = moment.lanes.map((l) => l.frame[host.catalog.frame.header.indexOf('nowNs')]);
    expect(new Set(times)).toEqual(new Set([200_000_000]));
  });

  it('goes on with the other lanes after a wrong answer of a scheduler has ended one', async () => {
    const fault = { atNs: 0, hook: 'pick_next', task: 1, cpu: 2, message: 'ULE answered …' };
    const faulty = new Host(
      withLanes((lane, i) => {
        if (i !== 1) return lane;
        // That lane goes no further, and says why.
        return new Proxy(lane, {
          get: (of, key: keyof typeof lane) => {
            if (key === 'fault') return () => JSON.stringify(fault);
            if (key === 'is_finished') return () => true;
            if (key === 'advance') return () => of.now();
            return (of[key] as (...args: unknown[]) => unknown).bind(of);
          },
        });
      }),
      { clock: () => performance.now(), breathe: () => Promise.resolve(), alive: () => undefined },
    );
    await faulty.configure({ scenario, at: 0 });
    const moment = await faulty.seek(20_000_000);
    expect(moment.lanes.map((l) => l.fault)).toEqual(
      scenario.schedulers.map((_, i) => (i === 1 ? fault : null)),
    );
    expect(moment.nowNs).toBe(20_000_000);
    expect(moment.finished).toBe(false);
  });

  it('says that it is alive during a long piece of work', async () => {
    let ms = 0;
    let said = 0;
    const slow = new Host(realCore, {
      clock: () => (ms += 400),
      breathe: () => Promise.resolve(),
      alive: () => {
        said += 1;
      },
    });
    const result = await slow.configure({ scenario, at: 0 });
    if ('problems' in result) throw new Error('refused');
    expect(said).toBe(0);
    slow.advance(1_000_000);
    expect(said).toBeGreaterThan(0);
  });

  it('reaches the same state by slices, by a jump and by going back', async () => {
    const direct = digests(await at(150_000_000));
    await at(0);
    while (host.advance(150_000_000).nowNs < 150_000_000);
    expect(digests(host.look())).toEqual(direct);
    await host.seek(400_000_000);
    expect(breaths).toBeGreaterThanOrEqual(0);
    expect(digests(await host.seek(150_000_000))).toEqual(direct);
  });

  it('goes back to a known time without running everything before it', async () => {
    let calls = 0;
    const counting = new Host(
      withLanes((lane) => {
        const advance = lane.advance.bind(lane);
        lane.advance = (...args) => {
          calls += 1;
          return advance(...args);
        };
        return lane;
      }),
      { clock: () => performance.now(), breathe: () => Promise.resolve(), alive: () => undefined },
    );
    await counting.configure({ scenario, at: 0 });
    const there = digests(await counting.seek(20_000_000_000));
    const first = calls;
    await counting.seek(0);
    calls = 0;
    expect(digests(await counting.seek(20_000_000_000))).toEqual(there);
    expect(calls).toBeLessThan(first / 5);
  });

  it('gives up a seek, and only that, for another one', async () => {
    let give: (() => void) | null = null;
    let ms = 0;
    const busy = new Host(realCore, {
      clock: () => (ms += 1),
      breathe: () => {
        give?.();
        return Promise.resolve();
      },
      alive: () => undefined,
    });
    await busy.configure({ scenario, at: 0 });
    const whole = digests(await busy.seek(3_000_000_000));
    await busy.configure({ scenario, at: 0 });
    give = () => {
      expect(busy.reachedNs).toBeGreaterThan(0);
      busy.cancelSeek();
    };
    expect((await busy.seek(3_000_000_000)).nowNs).toBeLessThan(3_000_000_000);
    give = () => {
      busy.cancelSeek();
    };
    const again = await busy.configure({ scenario, at: 3_000_000_000 });
    expect('moment' in again && digests(again.moment)).toEqual(whole);
    expect(busy.reachedNs).toBeNull();
  });

  it('lanes that are halted on their way stand at the same time', async () => {
    // Its lanes keep states at different times.
    const uneven = host.catalog.scenarios.find((s) => s.id === 's0-xeon')?.scenario as Scenario;
    let ms = 0;
    let left = Infinity;
    const busy: Host = new Host(realCore, {
      clock: () => (ms += 5),
      breathe: () => {
        left -= 1;
        if (left === 0) busy.cancel();
        return Promise.resolve();
      },
      alive: () => undefined,
    });
    const timesOf = ({ lanes }: LanesUpdate) =>
      new Set(lanes.map((l) => l.frame[busy.catalog.frame.header.indexOf('nowNs')]));
    await busy.configure({ scenario: uneven, at: 0 });
    await busy.seek(4_500_000_000);
    left = 1;
    const halted = await busy.seek(1_700_000_000);
    expect(halted.nowNs).toBeLessThan(1_700_000_000);
    expect(timesOf(halted)).toEqual(new Set([halted.nowNs]));
  }, 60_000);

  it('replays live edits from the scenario that holds them', async () => {
    await at(50_000_000);
    const { problems } = await edit({ set: { 'groups.*.nice': 5 } });
    expect(problems).toEqual([]);
    await edit({ set: { [`groups.${scenario.groups[0]?.name ?? ''}.count`]: '+2' } });
    const moment = await host.seek(120_000_000);
    const edits = (
      await at(120_000_000, {
        ...scenario,
        edits: JSON.parse(JSON.stringify(moment.edits ?? [])) as never,
      })
    ).edits;
    expect(edits).toHaveLength(moment.edits?.length ?? 0);
  });

  it('a link to the start, or to a moment with new threads, restores that state', async () => {
    const start = digests(await at(0));
    await host.seek(1_000_000);
    expect(digests(await host.seek(0))).toEqual(start);
    await at(50_000_000);
    const group = scenario.groups[0]?.name ?? '';
    const { moment } = await edit({ set: { [`groups.${group}.count`]: '+2' } });
    expect(digests(host.look())).toEqual(digests(moment));
    const edits = moment.edits ?? [];
    const again = await at(50_000_000, { ...scenario, edits: [...edits] });
    expect(digests(again)).toEqual(digests(moment));
  });

  it('refuses a bad scenario, naming the field, and keeps the present lanes', async () => {
    const before = digests(await at(10_000_000));
    const bad = {
      ...scenario,
      groups: [{ name: 'a', count: 1e9, behaviour: { kind: 'dhrystone' } }],
    };
    const result = await host.configure({ scenario: bad, at: 0 });
    expect('problems' in result && result.problems[0]?.path).toMatch(/groups/);
    expect(digests(host.look())).toEqual(before);
  });

  it('opens every shipped scenario at the same moment each time', async () => {
    for (const entry of host.catalog.scenarios) {
      const first = (await at('opening', entry.scenario)).nowNs;
      expect((await at('opening', entry.scenario)).nowNs).toBe(first);
      const { opening } = entry.scenario;
      if (opening?.atNs !== undefined) expect(first, entry.id).toBe(opening.atNs);
    }
  }, 60_000);

  it('finds a moment worth seeing where a scenario names none', async () => {
    for (const { scenario } of host.catalog.scenarios) {
      const silent: unknown = { ...scenario, opening: undefined };
      expect((await at('opening', silent)).nowNs, scenario.name).toBeGreaterThan(0);
    }
  }, 60_000);

  it('opens a drawn second before the first moment of a kind, and at the beginning of a wait', async () => {
    const silent = { ...scenario, opening: undefined };
    const open = async (opening: object) =>
      (await at('opening', { ...silent, opening } as Scenario)).nowNs;
    const about = { task: -1, cpu: -1 };
    for (const moment of ['migration', 'wakeup'] as const) {
      await at(0);
      const { moment: found } = await host.step({ lane: 0, kind: moment, back: false, about });
      const speed = 1_000_000;
      expect(await open({ moment, speed })).toBe(Math.max(0, found.nowNs - speed));
    }
    const waiting = await open({ moment: 'wait' });
    const queued = host.look().lanes[0]?.frame[host.catalog.frame.header.indexOf('queueRows')];
    expect(waiting).toBeLessThan(1.5e9);
    expect(queued).toBeGreaterThan(0);
  });

  describe('where one lane ends long before the other', () => {
    const short = host.catalog.scenarios.find((s) => s.id === 's1-yield-storm')
      ?.scenario as Scenario;
    const nowOf = (m: LanesUpdate, i: number) =>
      m.lanes[i]?.frame[host.catalog.frame.header.indexOf('nowNs')] ?? Number.NaN;

    it('the clock goes beyond the end of the finished lane', async () => {
      const started = await at(0, short);
      expect(started.finished).toBe(false);
      const later = await host.seek(5_000_000);
      expect(nowOf(later, 1)).toBeLessThan(nowOf(later, 0));
      expect(later.nowNs).toBe(5_000_000);
      let moment = later;
      while (moment.nowNs < 5_500_000) moment = host.advance(5_500_000);
      expect(nowOf(moment, 0)).toBe(5_500_000);
    });

    it('a step in the finished lane leaves the others in place', async () => {
      await at(5_000_000, short);
      const about = { task: -1, cpu: -1 };
      const { moment, found } = await host.step({ lane: 1, kind: 'switch', back: false, about });
      expect(found).toBe(false);
      expect(nowOf(moment, 0)).toBe(5_000_000);
    });

    it('an edit is kept that only the other lane accepts', async () => {
      const lanes = [...short.schedulers].reverse();
      await at(5_000_000, { ...short, schedulers: lanes });
      const { problems, moment } = await edit({ set: { 'groups.*.nice': 5 } });
      expect(problems).toEqual([]);
      expect(moment.edits?.map((e) => e.atNs)).toEqual([5_000_000]);
    });

    it('it opens while both lanes still run', async () => {
      const silent: unknown = { ...short, opening: undefined };
      const { lanes, nowNs } = await at('opening', silent);
      const finished = host.catalog.frame.header.indexOf('finished');
      expect(lanes.map((l) => l.frame[finished])).toEqual([0, 0]);
      expect(nowNs).toBeGreaterThan(0);
    });
  });

  it('gives trace rows without gaps while slices of work follow each other', async () => {
    const begun = (await at(0)).lanes[0]?.trace ?? [];
    let last = begun.length / host.traceColumns - 1;
    for (let t = 1; t <= 40; t++) {
      const lane = host.advance(t * 1_000_000).lanes[0];
      if (!lane) throw new Error('no lane');
      if (t > 1) expect(lane.traceContinues).toBe(true);
      for (let i = 0; i < lane.trace.length; i += host.traceColumns) {
        expect(lane.trace[i]).toBe(last + 1);
        last = lane.trace[i] ?? -1;
      }
    }
    expect(last).toBeGreaterThan(10);
  });

  it('gives the machine with the CPU numbers of the first lane’s system', async () => {
    const result = await host.configure({ scenario, at: 0 });
    if ('problems' in result) throw new Error('refused');
    expect(result.tree.core).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
    const spec = structuredClone(host.catalog.machines[0]?.spec);
    const [pack] = spec?.topology.packages ?? [];
    if (!spec || !pack) throw new Error('no machine');
    pack.count = 2;
    const made = await host.configure({ scenario: { ...scenario, machine: spec }, at: 0 });
    expect('tree' in made && new Set(made.tree.package).size).toBe(2);
    const freebsd = host.catalog.schedulers.find((s) => s.family === 'freebsd');
    if (!freebsd) return;
    const first = { ...scenario, schedulers: [{ id: freebsd.id }, ...scenario.schedulers] };
    expect(host.machine(first)).toMatchObject({ tree: { core: [0, 0, 1, 1, 2, 2, 3, 3] } });
  });

  it('names the field of a problem of a machine', () => {
    const spec = structuredClone(host.catalog.machines[0]?.spec);
    if (!spec) throw new Error('no machine');
    spec.clockMhz = 0;
    const result = host.machine({ ...scenario, machine: spec });
    expect('problems' in result && result.problems.map((p) => p.path)).toEqual([
      'machine.clockMhz',
    ]);
  });

  it('reads a scenario once, however many lanes it has', async () => {
    let reads = 0;
    const counting = new Host(
      { ...realCore, plan: (json) => ((reads += 1), realCore.plan(json)) },
      { clock: () => performance.now(), breathe: () => Promise.resolve(), alive: () => undefined },
    );
    const made = await counting.configure({ scenario, at: 0 });
    expect('moment' in made && made.moment.lanes).toHaveLength(scenario.schedulers.length);
    expect(reads).toBe(1);
  });

  it('returns a scenario with every default filled in', async () => {
    const result = await host.configure({ scenario: short(), at: 0 });
    if ('problems' in result) throw new Error(JSON.stringify(result.problems));
    expect(result.scenario).toMatchObject({
      seed: 1,
      notes: '',
      groups: [{ nice: 0, policy: 'normal', startNs: 0, startSpacingNs: 1_000_000 }],
      edits: [{ set: { 'groups.*.allowed': null } }],
      timing: { tickPhase: 'kernel' },
    });
  });
});

/** A scenario without its optional fields. */
const short = (groups: unknown[] = [{ name: 'a', count: 3, behaviour: { kind: 'compute' } }]) => ({
  version: 1,
  name: 'short',
  machine: 'i7860',
  schedulers: [{ id: 'cfs' }, { id: 'ule' }],
  groups,
  edits: [{ atNs: 5, edit: { kind: 'unpin' } }],
  end: { atNs: 1e9 },
});

describe('the present of a lane', () => {
  const script = (name: string, count: number, program: string) => ({
    name,
    count,
    behaviour: { kind: 'script', params: { program, child: 'run 10s' } },
  });
  const groupsOf = (moment: LanesUpdate, lane = 0) => moment.lanes[lane]?.present?.groups ?? [];

  it('counts threads that are to start or were forked, but not those that have ended', async () => {
    const groups = [script('gone', 6, 'run 1ms'), script('more', 1, 'fork; fork; run 10s')];
    expect(groupsOf(await at(0, short(groups))).map((g) => g.count)).toEqual([6, 1]);
    expect(groupsOf(await host.seek(200_000_000)).map((g) => g.count)).toEqual([0, 3]);
  });

  it('gives the values that threads share, and says where they differ', async () => {
    await at(50_000_000, short());
    const all = { nice: 0, allowed: [] };
    expect(groupsOf(host.look())).toMatchObject([{ count: 3, ...all }]);
    await edit({ set: { 'threads.a-2.nice': 4 } });
    const { moment } = await edit({ set: { 'threads.a-2.allowed': [1, 2] } });
    expect(groupsOf(moment)).toMatchObject([{ nice: null, allowed: null }]);
    await edit({ set: { 'groups.*.nice': 20 } });
    const pinned = (await edit({ set: { 'groups.*.allowed': [3] } })).moment;
    // Linux knows nice values up to 19.
    expect([0, 1].map((lane) => groupsOf(pinned, lane)[0]?.nice)).toEqual([19, 20]);
    expect(groupsOf(pinned)[0]?.allowed).toEqual([3]);
  });

  it('has every tunable of its own scheduler', async () => {
    const before = await at(50_000_000, short());
    expect(before.lanes[0]?.present?.tunables).toHaveProperty('hz');
    const [spec] = host.catalog.schedulers
      .filter((s) => s.id === 'cfs')
      .flatMap((s) => s.eras[0]?.tunables ?? [])
      .filter((t) => t.live && t.kind.type === 'int');
    if (spec?.kind.type !== 'int') throw new Error('no tunable');
    const value = spec.kind.default === spec.kind.max ? spec.kind.min : spec.kind.max;
    const { moment } = await edit({ set: { [`lanes.1.${spec.id}`]: value } });
    expect(moment.lanes[0]?.present?.tunables[spec.id]).toBe(value);
    expect(before.lanes[0]?.present?.tunables[spec.id]).toBe(spec.kind.default);
  });
});

describe('a number of threads', () => {
  const count = (n: number, drag: number | null = null) =>
    host.edit({ edit: { set: { 'groups.a.count': n } }, lane: null, drag });
  const counts = (moment: LanesUpdate) => moment.lanes.map((l) => l.present?.groups[0]?.count);

  it('is reached from the present number', async () => {
    await at(50_000_000, short());
    const { moment } = await count(7);
    expect(counts(moment)).toEqual([7, 7]);
    expect(moment.edits?.at(-1)?.set).toEqual({ 'groups.a.count': 7 });
    expect(counts((await count(2)).moment)).toEqual([2, 2]);
  });

  it('is then the same in all lanes, even if they differed', async () => {
    await at(50_000_000, short());
    await host.edit({ edit: { set: { 'groups.*.count': '-2' } }, lane: 1, drag: null });
    const { moment } = await count(5);
    expect(counts(moment)).toEqual([5, 5]);
    const again = await at(50_000_000, { ...short(), edits: moment.edits });
    expect(digests(again)).toEqual(digests(moment));
  });

  it('is one edit, the last of a drag, while time stands', async () => {
    await at(50_000_000, short());
    for (const n of [4, 9, 6]) await count(n, 1);
    const { moment } = await count(8, 1);
    expect(moment.edits?.map((e) => e.set)).toEqual([
      { 'groups.*.allowed': null },
      { 'groups.a.count': 8 },
    ]);
    expect(digests(await at(50_000_000, { ...short(), edits: moment.edits }))).toEqual(
      digests(moment),
    );
  });

  it('starts and ends nobody when a drag returns to its beginning, and later edits stay', async () => {
    const later = [{ atNs: 80_000_000, set: { 'groups.*.nice': 3 } }];
    await at(50_000_000, { ...short(), edits: later });
    await count(9, 1);
    const { moment } = await count(3, 1);
    expect(moment.lanes.map((lane) => lane.names?.tasks.length ?? 3)).toEqual([3, 3]);
    expect(moment.edits?.map((e) => e.atNs)).toEqual([50_000_000, 80_000_000]);
    const nice = (await host.seek(90_000_000)).lanes[0]?.present?.groups[0]?.nice;
    expect(nice).toBe(3);
  });

  it('adds edits when time goes on during a drag, and in another drag', async () => {
    await at(50_000_000, short());
    await count(5, 1);
    await host.seek(60_000_000);
    await count(6, 1);
    const { moment } = await count(7, 2);
    expect(moment.edits?.map((e) => e.atNs)).toEqual([5, 50e6, 60e6, 60e6]);
  });

  it('and another property of the same drag both stay', async () => {
    await at(50_000_000, short());
    const nice = (n: number) =>
      host.edit({ edit: { set: { 'groups.a.nice': n } }, lane: null, drag: 1 });
    await count(4, 1);
    await nice(2);
    await count(6, 1);
    await nice(5);
    const refused = await nice(500);
    expect(refused.problems).toHaveLength(1);
    const { moment } = await count(7, 1);
    expect(moment.edits?.map((e) => e.set)).toEqual([
      { 'groups.*.allowed': null },
      { 'groups.a.nice': 5 },
      { 'groups.a.count': 7 },
    ]);
  });

  it('that is refused leaves the last accepted value of the drag', async () => {
    await at(50_000_000, short());
    const good = (await count(9, 1)).moment;
    const { problems, moment } = await count(6000, 1);
    expect(problems[0]?.message).toMatch(/5000/);
    expect(digests(moment)).toEqual(digests(good));
  });
});
