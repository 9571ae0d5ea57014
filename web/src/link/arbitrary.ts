/** Random pages for the tests of links: everything that controls and editors can make, and more. */
import fc from 'fast-check';
import { normal } from '../sim/test-core';
import type { Answer } from '../sim/types/Answer';
import type { Background } from '../sim/types/Background';
import type { Better } from '../sim/types/Better';
import type { Catalog } from '../sim/types/Catalog';
import type { Control } from '../sim/types/Control';
import type { ControlKind } from '../sim/types/ControlKind';
import type { IdleExitDelays } from '../sim/types/IdleExitDelays';
import type { IdleTicks } from '../sim/types/IdleTicks';
import type { Measure } from '../sim/types/Measure';
import type { MomentKind } from '../sim/types/MomentKind';
import type { Opening } from '../sim/types/Opening';
import type { ParamSpec } from '../sim/types/ParamSpec';
import type { ParamValue } from '../sim/types/ParamValue';
import type { Policy } from '../sim/types/Policy';
import type { Scenario } from '../sim/types/Scenario';
import type { SchedulerChoice } from '../sim/types/SchedulerChoice';
import type { Tab } from '../sim/types/Tab';
import type { Thumb } from '../sim/types/Thumb';
import type { TickPhase } from '../sim/types/TickPhase';
import type { Timing } from '../sim/types/Timing';
import type { ThreadGroup } from '../sim/types/ThreadGroup';
import { ALL, type Edit, editOf } from '../sim/property/edit';
import { tunablesOf } from '../sim/property/set';
import type { Page } from './link';
import { rangeOf } from './values';
import { type LinkView, PARTS, TIMELINE_TABS, VIEWS } from './view';

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

/** Without keys that are undefined: equal pages are equal texts. */
function compact<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as T;
}

function paramValue({ kind }: ParamSpec): fc.Arbitrary<ParamValue> {
  switch (kind.type) {
    case 'int':
      return fc.integer({ min: kind.min, max: kind.max });
    case 'flag':
      return fc.boolean();
    case 'choice':
      return fc.constantFrom(...kind.options);
    case 'text':
      return fc.string({ maxLength: Math.min(60, kind.maxLength) });
  }
}

function params(specs: readonly ParamSpec[]): fc.Arbitrary<Record<string, ParamValue>> {
  if (specs.length === 0) return fc.constant({});
  const one = fc
    .constantFrom(...specs)
    .chain((spec) => paramValue(spec).map((value) => [spec.id, value] as const));
  return fc.array(one, { maxLength: 3 }).map((list) => Object.fromEntries(list));
}

function schedulers(catalog: Catalog): fc.Arbitrary<SchedulerChoice[]> {
  const one = fc.constantFrom(...catalog.schedulers).chain((entry) =>
    maybe(fc.constantFrom(...entry.eras.map((e) => e.id))).chain((era) => {
      const choice = compact({ id: entry.id, era }) as SchedulerChoice;
      return params(tunablesOf(choice, catalog)).map((tunables) =>
        Object.keys(tunables).length > 0 ? { ...choice, tunables } : choice,
      );
    }),
  );
  return fc.array(one, { minLength: 1, maxLength: 4 });
}

function groups(catalog: Catalog, name: fc.Arbitrary<string>): fc.Arbitrary<ThreadGroup[]> {
  const int = (field: string, unit: string) => fc.integer(rangeOf(catalog, field, unit));
  const behaviour = fc
    .constantFrom(...catalog.behaviours.filter((b) => b.offered))
    .chain((b) =>
      params(b.params).map((p) =>
        compact({ kind: b.id, params: Object.keys(p).length ? p : undefined }),
      ),
    );
  const one = fc
    .record({
      name,
      count: int('groups.count', 'threads'),
      behaviour,
      nice: maybe(int('groups.nice', '')),
      workingSetBytes: maybe(int('groups.workingSetBytes', 'bytes')),
      startNs: maybe(int('groups.startNs', 'ns')),
      startSpacingNs: maybe(int('groups.startSpacingNs', 'ns')),
      policy: maybe(fc.constantFrom<Policy>('normal', 'batch', 'idle', 'iso', 'fifo')),
      rtPriority: maybe(int('groups.rtPriority', '')),
      sliceNs: maybe(int('groups.sliceNs', 'ns')),
      allowed: maybe(fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 3 })),
      process: maybe(name),
    })
    .map((g) => compact(g) as ThreadGroup);
  return fc.uniqueArray(one, { maxLength: 5, selector: (g) => g.name });
}

function edits(catalog: Catalog, name: fc.Arbitrary<string>): fc.Arbitrary<Edit> {
  const int = (field: string, unit: string) => fc.integer(rangeOf(catalog, field, unit));
  const who = fc.oneof(
    fc.constant(['groups', ALL]),
    name.map((group) => ['groups', group]),
    name.map((thread) => ['threads', thread]),
  );
  const of = (field: string, value: fc.Arbitrary<unknown>) =>
    fc.tuple(who, value).map(([steps, set]) => editOf([...steps, field], set));
  const cpu = fc.integer({ min: 0, max: 7 });
  const count = int('groups.count', 'threads');
  const counts = fc.oneof(
    count,
    count.map((n) => `+${String(n)}`),
    count.map((n) => `-${String(n)}`),
  );
  return fc.oneof(
    of('nice', int('groups.nice', '')),
    of('sliceNs', int('groups.sliceNs', 'ns')),
    of('workingSetBytes', int('groups.workingSetBytes', 'bytes')),
    of('allowed', fc.option(fc.array(cpu))),
    of('paused', fc.boolean()),
    fc.tuple(name, counts).map(([group, n]) => editOf(['groups', group, 'count'], n)),
    name.map((thread) => editOf(['threads', thread], null)),
    name.map((thread) => ({ copy: thread })),
    tunableEdits(catalog),
  );
}

/** Tunables of any scheduler, whether a lane has it or not. */
function tunableEdits(catalog: Catalog): fc.Arbitrary<Edit> {
  const all = catalog.schedulers.flatMap((s) => s.eras.flatMap((era) => era.tunables));
  const lane = fc.constantFrom(ALL, '1', '2', '3', '4');
  return fc
    .constantFrom(...all)
    .chain((spec) =>
      fc.tuple(lane, paramValue(spec)).map(([to, value]) => editOf(['lanes', to, spec.id], value)),
    );
}

function background(catalog: Catalog): fc.Arbitrary<Background> {
  const int = (field: string, unit: string) =>
    fc.integer(rangeOf(catalog, `background.${field}`, unit));
  const wakesPerSecond = int('wakesPerSecond', '1/s');
  const percent = int('percent', '%');
  const runNs = int('runNs', 'ns');
  const daemons = fc.record({
    count: int('daemons.count', ''),
    wakesPerSecond,
    interruptPercent: percent,
    tickAlignedPercent: percent,
    runMeanNs: runNs,
    chainPercent: percent,
  });
  const kernelThreads = fc.record({ wakesPerSecond, runNs });
  return fc
    .record({ daemons: maybe(daemons), kernelThreads: maybe(kernelThreads) })
    .map((b) => compact(b) as Background);
}

function timing(catalog: Catalog): fc.Arbitrary<Timing> {
  const delay = maybe(fc.integer(rangeOf(catalog, 'timing.delayNs', 'ns')));
  return fc
    .record({
      kickNs: delay,
      idleExitNs: delay,
      idleExitDeepNs: delay,
      tickPhase: fc.constantFrom<TickPhase>('kernel', 'aligned', 'staggered'),
      idleTicks: fc.constantFrom<IdleTicks>('ticking', 'tickless'),
      idleExitDelays: fc.constantFrom<IdleExitDelays>('timers', 'all'),
    })
    .map((t) => compact(t) as Timing);
}

function opening(catalog: Catalog, thread: fc.Arbitrary<string>): fc.Arbitrary<Opening> {
  const int = (field: string, unit: string) =>
    maybe(fc.integer(rangeOf(catalog, `opening.${field}`, unit)));
  return fc
    .record({
      atNs: int('atNs', 'ns'),
      moment: maybe(fc.constantFrom<MomentKind>('refusal', 'sharedCore')),
      speed: int('speed', 'ns'),
      windowNs: int('windowNs', 'ns'),
      tab: maybe(fc.constantFrom<Tab>('runs', 'queues')),
      select: maybe(thread),
    })
    .map((o) => compact(o) as Opening);
}

function answer(catalog: Catalog, name: fc.Arbitrary<string>): fc.Arbitrary<Answer> {
  const { min, max } = rangeOf(catalog, 'answer.fair', '');
  return fc
    .record({
      measure: fc.constantFrom<Measure>('lastExit', 'share'),
      of: maybe(name),
      better: maybe(fc.constantFrom<Better>('higher', 'lower')),
      fair: maybe(fc.integer({ min, max: Math.min(max, 1e9) }).map((n) => n / 1000)),
      price: maybe(fc.constantFrom<Measure>('moves', 'workLost')),
    })
    .map((a) => compact(a) as Answer);
}

function control(name: fc.Arbitrary<string>): fc.Arbitrary<Control> {
  return fc
    .record({
      kind: fc.constantFrom<ControlKind>('processes', 'nice', 'tunable'),
      group: maybe(name),
      id: maybe(fc.constantFrom('hz', 'slice')),
      lane: maybe(fc.integer({ min: 0, max: 3 })),
    })
    .map((c) => compact(c) as Control);
}

/** Fields of a scenario as a person may write them: fields with a default are often left out. */
export function arbitraryScenario(catalog: Catalog): fc.Arbitrary<Partial<Scenario>> {
  const name = fc.oneof(
    fc.constantFrom('dhry', '*', 'ü & = #', '<b>x</b>', 'a,b;c', '100%', '__proto__'),
    fc.string({ minLength: 1, maxLength: 20 }),
  );
  const time = fc.integer({ min: 0, max: rangeOf(catalog, 'end.atNs', 'ns').max });
  return fc
    .record({
      seed: maybe(fc.integer(rangeOf(catalog, 'seed', ''))),
      machine: maybe(
        fc.oneof(
          fc.constantFrom(...catalog.machines.map((m) => m.spec.id)),
          fc.constantFrom(...catalog.machines.map((m) => m.spec)),
        ),
      ),
      schedulers: maybe(schedulers(catalog)),
      groups: maybe(groups(catalog, name)),
      edits: maybe(
        fc.array(
          fc
            .record({
              atNs: time,
              edit: edits(
                catalog,
                name.filter((text) => text !== ALL),
              ),
              lane: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined, freq: 5 }),
            })
            .map(({ edit, ...timed }) => compact({ ...timed, ...edit })),
          { minLength: 1, maxLength: 4 },
        ),
      ),
      background: maybe(background(catalog)),
      timing: maybe(timing(catalog)),
      notes: maybe(fc.string({ maxLength: 200 })),
      ask: maybe(fc.string({ maxLength: 60 })),
      end: maybe(time.filter((t) => t > 0).map((atNs) => ({ atNs }))),
      opening: maybe(opening(catalog, name)),
      answer: maybe(answer(catalog, name)),
      controls: maybe(fc.array(control(name), { maxLength: 4 })),
      moments: maybe(fc.uniqueArray(fc.constantFrom<MomentKind>('steal', 'wait', 'exit'))),
      thumb: maybe(fc.constantFrom<Thumb>('machine', 'bars')),
    })
    .map((fields) => compact(fields) as Partial<Scenario>);
}

/** The base with such fields, as the core reads it; often only the number of threads differs. */
function scenario(base: Scenario, catalog: Catalog): fc.Arbitrary<Scenario> {
  const count = maybe(fc.integer(rangeOf(catalog, 'groups.count', 'threads')));
  return fc.tuple(arbitraryScenario(catalog), count).map(([fields, n]) => {
    const made = normal({ ...base, ...fields });
    const [first] = made.groups;
    if (first && n !== undefined) first.count = n;
    return made;
  });
}

const view: fc.Arbitrary<LinkView> = fc
  .record({
    lane: maybe(fc.integer({ min: 0, max: 3 })),
    thread: maybe(fc.string({ minLength: 1, maxLength: 30 })),
    speed: maybe(fc.integer({ min: 1000, max: 2_000_000_000 })),
    edit: maybe(fc.integer({ min: 0, max: 3 })),
    tab: maybe(fc.constantFrom(...TIMELINE_TABS)),
    value: maybe(fc.string({ minLength: 1, maxLength: 30 })),
    kind: maybe(fc.constantFrom('pickNext', 'migrate')),
    seen: maybe(
      fc.record({
        fromNs: fc.option(fc.nat(1e9), { nil: null }),
        spanNs: fc.integer({ min: 1, max: 1e9 }),
      }),
    ),
    sums: maybe(
      fc
        .record({ fromNs: fc.nat(1e9), spanNs: fc.integer({ min: 1, max: 1e9 }) })
        .map(({ fromNs, spanNs }) => ({ fromNs, toNs: fromNs + spanNs })),
    ),
    measure: maybe(fc.constantFrom('lastExit', 'share')),
    price: maybe(fc.constantFrom('moves', 'workLost')),
    embed: maybe(fc.constant(true)),
    show: maybe(fc.constantFrom(...VIEWS.filter((v) => v !== 'all'))),
    hide: maybe(fc.subarray([...PARTS], { minLength: 1 })),
    lock: maybe(fc.constant(true)),
    play: maybe(fc.constant(true)),
  })
  .map((v) => compact(v) as LinkView);

/** A changed page of a shipped scenario. */
export function arbitraryPage(catalog: Catalog): fc.Arbitrary<Page> {
  return fc.constantFrom(...catalog.scenarios).chain(({ id, scenario: base }) =>
    fc.record({
      scenario: scenario(base, catalog),
      baseId: fc.constant(id),
      t: fc.integer({ min: 0, max: 600_000_000_000 }),
      digests: fc.array(fc.stringMatching(/^[0-9a-f]{16}$/), { maxLength: 4 }),
      view,
    }),
  );
}
