import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withFittingGuide } from '../sim/guide';
import { sorted } from '../lib/json';
import { checked, normal, realCore } from '../sim/test-core';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import { arbitraryPage, arbitraryScenario } from './arbitrary';
import corpus from './corpus.json';
import { keptLink, lanesThatDiffer, type Page, readLink, writeLink } from './link';
import { axisOf } from './old-keys';
import { MAX_PACKED, pack } from './packing';
import { shortened } from '../sim/property/short';

const CATALOG = JSON.parse(realCore.catalog()) as Catalog;
const base = CATALOG.scenarios[0]?.scenario as Scenario;
const baseId = CATALOG.scenarios[0]?.id as string;

const pageOf = (scenario: Scenario, more: Partial<Page> = {}): Page => ({
  scenario,
  baseId,
  t: 0,
  digests: [],
  view: {},
  ...more,
});

const [group] = base.groups;
const withGroup = (change: object): Scenario => ({
  ...base,
  groups: [{ ...(group as object), ...change } as Scenario['groups'][number]],
});

/** `npm run links` tries more of both; here only as many as fit into a second or two. */
const ROUND_TRIPS = Number(process.env['TIMESLICE_CASES'] ?? 150);
const MUTATIONS = Number(process.env['TIMESLICE_CASES'] ?? 3000) / 10;
/** Without the variable the links are the same each time, so that a failure can be repeated. */
const seed = Number(process.env['TIMESLICE_FUZZ_SEED'] ?? 318);
/** A link takes a few milliseconds; the limit allows for a busy machine. */
const timeout = 60_000 + 100 * ROUND_TRIPS;

describe('links', () => {
  it('bring back the same page', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryPage(CATALOG), async (page) => {
        const link = await readLink(`#${await writeLink(page, CATALOG)}`, CATALOG);
        expect(link.problems).toEqual([]);
        expect(sorted(normal(link.scenario))).toEqual(sorted(page.scenario));
        expect({ t: link.t, view: link.view }).toEqual({ t: page.t, view: page.view });
        expect(lanesThatDiffer(link, page.digests)).toEqual([]);
      }),
      { numRuns: ROUND_TRIPS, seed },
    );
  });

  it('bring back scenario and time in their short form', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryPage(CATALOG), async (page) => {
        const link = await readLink(await writeLink(page, CATALOG, { short: true }), CATALOG);
        expect(sorted(normal(link.scenario))).toEqual(sorted(page.scenario));
        expect(link.t).toBe(page.t);
      }),
      { numRuns: 60, seed },
    );
  });

  it('open without an error, however damaged they are', { timeout }, async () => {
    const cuts = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 40 }), fc.string({ maxLength: 8 })), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(arbitraryPage(CATALOG), cuts, async (page, changes) => {
        let text = await writeLink(page, CATALOG);
        for (const [at, length, insert] of changes) {
          const from = at % (text.length + 1);
          text = text.slice(0, from) + insert + text.slice(from + length);
        }
        const link = await readLink(text, CATALOG);
        // The core answers with a list of sentences, never with a panic.
        expect(Array.isArray(checked(link.scenario).errors)).toBe(true);
      }),
      { numRuns: MUTATIONS, seed },
    );
  });

  it('are no longer because the core filled in defaults', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CATALOG.scenarios),
        arbitraryScenario(CATALOG),
        (entry, more) => {
          const given = { ...entry.scenario, ...more };
          const written = JSON.stringify(shortened(normal(given)));
          expect(written.length).toBeLessThanOrEqual(JSON.stringify(given).length);
          expect(normal(JSON.parse(written))).toEqual(normal(given));
        },
      ),
      { numRuns: ROUND_TRIPS, seed },
    );
  });

  const cases: readonly (readonly [string, Partial<Page>, string])[] = [
    ['nothing but the base for an unchanged scenario', {}, 'v=2&x=bfs-smt&t=0'],
    [
      'the usual things',
      {
        scenario: withFittingGuide({ ...withGroup({ count: 5, nice: 3 }), seed: 9 }, base),
        t: 1_500_000,
      },
      'v=2&x=bfs-smt&seed=9&groups.dhry.count=5&groups.dhry.nice=3&t=1.5',
    ],
    [
      'another era, and a tunable of a lane',
      {
        scenario: withFittingGuide(
          {
            ...base,
            schedulers: [
              { id: 'bfs', era: '0.318', tunables: { hz: 250 } },
              { id: 'random', tunables: {} },
            ],
          },
          base,
        ),
      },
      'v=2&x=bfs-smt&lanes.1.hz=250&lanes.2=random&lanes.3=null&t=0',
    ],
    [
      'live edits',
      {
        scenario: withFittingGuide(
          {
            ...base,
            edits: [
              { atNs: 120_500_000, set: { 'groups.dhry.nice': 5 } },
              { atNs: 130_000_000, set: { 'groups.dhry.count': 6 } },
            ],
          },
          base,
        ),
      },
      'v=2&x=bfs-smt&groups.dhry.nice=5@120.5ms&groups.dhry.count=6@130ms&t=0',
    ],
    [
      'who is stopped, let go on and copied',
      {
        scenario: withFittingGuide(
          {
            ...base,
            edits: [
              { atNs: 1_000_000, copy: 'dhry-3' },
              { atNs: 2_000_000, set: { 'groups.dhry.paused': true } },
              { atNs: 3_000_000, set: { 'groups.*.paused': false } },
            ],
          },
          base,
        ),
      },
      'v=2&x=bfs-smt&edits.1=(atNs:1000000,copy:dhry-3)&groups.dhry.paused=true@2ms&groups.*.paused=false@3ms&t=0',
    ],
    [
      'what is changed again, for one thread and in one lane',
      {
        scenario: withFittingGuide(
          {
            ...withGroup({ count: 2 }),
            edits: [
              { atNs: 5_000_000, set: { 'groups.dhry.count': '+1' } },
              { atNs: 6_000_000, set: { 'threads.dhry-1.allowed': [2, 3] } },
              { atNs: 6_000_000, set: { 'lanes.1.hz': 250 } },
              { atNs: 7_000_000, set: { 'groups.dhry.count': 1 } },
              { atNs: 8_000_000, lane: 1, set: { 'groups.*.allowed': null } },
            ],
          },
          base,
        ),
      },
      'v=2&x=bfs-smt&groups.dhry.count=2&groups.dhry.count=%2B1@5ms&threads.dhry-1.allowed=2-3@6ms&lanes.1.hz=250@6ms&groups.dhry.count=1@7ms&edits.5=(atNs:8000000,lane:1,set:(groups.*.allowed:null))&t=0',
    ],
    [
      'how the page looks',
      { view: { lane: 1, speed: 5e6, embed: true, show: 'machine', hide: ['setup'], lock: true } },
      'v=2&x=bfs-smt&t=0&lane=2&speed=5&embed=1&show=machine&hide=setup&lock=1',
    ],
    [
      'digests in eight digits',
      { digests: ['0123456789abcdef', 'fedcba9876543210'] },
      'v=2&x=bfs-smt&t=0&d=01234567.fedcba98',
    ],
  ];

  it.each(cases)('say %s in words that people can read and change', async (_, page, text) => {
    expect(await writeLink(pageOf(base, page), CATALOG)).toBe(text);
  });

  it('name a group by its name', async () => {
    const id = 's3-nice';
    const two = CATALOG.scenarios.find((entry) => entry.id === id)?.scenario as Scenario;
    const groups = two.groups.map((group, i) =>
      i === 1 ? { ...group, count: 3, nice: 7 } : group,
    );
    const scenario = withFittingGuide({ ...two, groups }, two);
    expect(await writeLink(pageOf(scenario, { baseId: id }), CATALOG)).toBe(
      'v=2&x=s3-nice&groups.second.count=3&groups.second.nice=7&t=0',
    );
  });

  it('name the scenario alone in the short form', async () => {
    const scenario = withFittingGuide(withGroup({ count: 5 }), base);
    expect(await writeLink(pageOf(scenario, { t: 2e6 }), CATALOG, { short: true })).toBe(
      'bfs-smt&groups.dhry.count=5&t=2',
    );
    expect((await readLink('#bfs-smt', CATALOG)).problems).toEqual([]);
  });

  it('name a shipped scenario as it opens, and nothing else', async () => {
    const opening = { isOpening: true, t: 4e7, digests: ['0123456789abcdef'] };
    const text = await writeLink(pageOf(base, opening), CATALOG);
    expect(text).toBe('s.bfs-smt');
    const link = await readLink(`#${text}`, CATALOG);
    expect(link).toMatchObject({ baseId: 'bfs-smt', t: null, problems: [] });
    expect(link.scenario).toEqual(base);
    for (const page of [
      pageOf(withGroup({ count: 5 }), opening),
      pageOf(base, { ...opening, isOpening: false }),
    ])
      expect(await writeLink(page, CATALOG)).toMatch(/^v=2&x=bfs-smt&/);
  });

  it('open kept work at the time at which it was left', async () => {
    const text = keptLink({ id: 'w1', baseId: 's3-nice', t: 2_500_000 });
    const { kept, baseId, t, problems } = await readLink(text, CATALOG);
    expect({ kept, baseId, t, problems }).toEqual({
      kept: 'w1',
      baseId: 's3-nice',
      t: 2_500_000,
      problems: [],
    });
  });

  it('say so when a scenario is too large for them', async () => {
    // Random letters do not pack.
    const notes = fc.sample(fc.base64String({ minLength: 20_000, maxLength: 20_000 }), {
      numRuns: 1,
      seed: 1,
    });
    const text = await writeLink(pageOf({ ...base, notes: notes.join() }), CATALOG, { kept: 'w1' });
    expect(text).toBe('v=2&x=bfs-smt&kept=w1&t=0');
    expect((await readLink(text, CATALOG)).kept).toBe('w1');
  });

  it('say which lanes have another digest today', async () => {
    const link = await readLink('bfs-smt&d=01234567.fedcba98', CATALOG);
    expect(lanesThatDiffer(link, ['0123456789abcdef', '0000000000000000'])).toEqual([1]);
    expect(lanesThatDiffer(link, [null, null])).toEqual([]);
  });
});

describe('the guide of a scenario in a link', () => {
  it('disappears together with the run that it was about', async () => {
    expect(base.ask).not.toBe('');
    const other = normal((await readLink('bfs-smt&k=5', CATALOG)).scenario);
    expect(other.ask).toBe('');
    // What is measured holds for five jobs, too; that four free cores are fair, for four.
    expect(other.answer).toEqual({ measure: 'throughput', price: 'moves' });
    expect(other.opening).toBeUndefined();
    expect(other.controls).toEqual(base.controls);
    expect(normal((await readLink('bfs-smt&seed=5', CATALOG)).scenario)).toEqual({
      ...base,
      seed: 5,
    });
  });

  it('is said where the user wrote one', async () => {
    const scenario: Scenario = {
      ...withGroup({ count: 5 }),
      ask: 'Where does the fifth go?',
      answer: { measure: 'share', of: 'dhry-5' },
    };
    const text = await writeLink(pageOf(scenario), CATALOG);
    expect(text).toContain('&answer.of=dhry-5');
    expect(normal((await readLink(text, CATALOG)).scenario)).toEqual(scenario);
  });
});

describe('old links', () => {
  it('with a hint of what to try open without it', async () => {
    const given = { ...(shortened(base) as object), try: 'Press play.' };
    const { scenario, problems } = await readLink(
      `z=${await pack(JSON.stringify(given))}`,
      CATALOG,
    );
    expect(problems).toEqual([]);
    expect(checked(scenario).errors).toEqual([]);
    expect(normal(scenario)).toEqual(base);
  });

  it('to a sweep name what it varies', () => {
    expect(axisOf('count.0', base)).toBe('groups.dhry.count');
    expect(axisOf('ws.0', base)).toBe('groups.dhry.workingSetBytes');
    expect(axisOf('param.0.workMs', base)).toBe('groups.dhry.behaviour.workMs');
    expect(axisOf('tunable.ule.slice', base)).toBe('lanes.ule.slice');
    expect(axisOf('groups.dhry.nice', base)).toBe('groups.dhry.nice');
  });

  it.each(corpus)('$link opens as it did: $what', async ({ link, scenario, t }) => {
    const read = await readLink(link, CATALOG);
    expect(read.problems).toEqual([]);
    expect(read.t).toBe(t);
    // The corpus lists what the link changed; the rest is the shipped scenario.
    expect(normal(read.scenario)).toMatchObject(scenario);
  });
});

describe('bad links', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['v=99', /made by a newer Timeslice: its v is 99/],
    ['s.nothing', /no scenario “nothing”.*there are bfs-smt/],
    ['v=0', /v must be a version from 1 to 2/],
    ['v=two', /v must be a version/],
    ['v=2&k=5001', /k must be a whole number from 0 to 5000 threads/],
    ['v=2&k=1e9', /k must be/],
    ['v=2&k=-1', /k must be/],
    ['v=2&k=NaN', /k must be/],
    ['v=2&k=Infinity', /k must be/],
    ['v=2&k9=5', /k9 names a group beyond the last, 1/],
    ['v=2&nice=21', /nice must be .* from -20 to 20/],
    ['v=2&ws=0', /ws must be a size from 1B to 64GiB/],
    ['v=2&seed=9007199254740992', /seed must be/],
    ['v=2&end=0', /end must be a time from 1ns to 4h/],
    ['v=2&t=-5', /t must be a time/],
    ['v=2&t=NaN', /t must be a time/],
    ['v=2&m=cray', /m must be one of i7860/],
    ['v=2&s=bfs,nonsense', /s must be one to four of bfs/],
    ['v=2&s=bfs,bfs,bfs,bfs,bfs', /s must be one to four/],
    ['v=2&l1.hz=7', /l1.hz must be a whole number from/],
    ['v=2&l1.constructor=7', /l1.constructor is not known/],
    ['v=2&l9.hz=100', /l9.hz names a lane beyond the last/],
    ['v=2&groups.dhry.sliceNs=3parsecs', /groups.dhry.sliceNs must be a time from 0 to /],
    ['v=2&groups.dhry.nice=21', /groups.dhry.nice must be .* from -20 to 20/],
    ['v=2&groups.dhry.policy=best', /groups.dhry.policy must be one of normal, batch/],
    ['v=2&groups.dhry.allowed=3-1', /groups.dhry.allowed must be a list of CPUs/],
    ['v=2&groups.dhry.count=null', /groups.dhry.count must be a value/],
    ['v=2&groups.dhry.nice=5@soon', /groups.dhry.nice must be .* from -20 to 20/],
    ['v=2&groups.hog.nice=5', /groups.hog.nice is not known; there are dhry/],
    ['v=2&groups.dhry.speed=5', /groups.dhry.speed is not known/],
    ['v=2&groups=[null]', /groups must be what a scenario file has there/],
    ['v=2&groups.__proto__.nice=5', /groups.__proto__.nice is not known/],
    ['v=2&machine.__proto__.x=5', /machine.__proto__.x is not known/],
    ['v=2&lanes.5=bfs', /lanes.5 is not known; there are 1, 2, 3/],
    ['v=2&lanes.2=nonsense', /lanes.2 must be one to four of bfs/],
    ['v=2&e=5,setNice,dhry,99', /e setNice must be .* from -20 to 20/],
    ['v=2&e=5,explode', /the edit “5,explode” is left out/],
    ['v=2&e=5,pause,dhry,1', /the edit “5,pause,dhry,1” is left out/],
    ['v=2&e=5,copy', /the edit “5,copy” is left out/],
    ['v=2&lane=5', /lane must be a whole number from 1 to 4/],
    ['v=2&speed=1e9', /speed must be from/],
    ['v=2&hide=everything', /hide must be some of/],
    ['v=2&__proto__=1', /“__proto__” is not known/],
    ['v=2&x=nope', /no scenario “nope”.*there are bfs-smt/],
    ['v=2&x=%E0%A4', /no scenario .*there are bfs-smt/],
    ['v=2&d=xyz', /d must be the digests/],
    ['v=2&z=AAAA', /z is damaged/],
    ['v=2&z=%00', /z has letters/],
    [`v=2&z=${'A'.repeat(MAX_PACKED + 1)}`, /z is longer than 8 kB/],
    ['v=2&embed&t=0', /“embed” has no value/],
    ['v=2&t=0&t=5', /“t” stands twice/],
    ['v=2&k=4&k=5', /“k” stands twice/],
    ['v=2&groups.dhry.process=%E0%A4', /groups.dhry.process is damaged/],
    ['v=2&m=%E0%A4', /m is damaged/],
    ['x'.repeat(10_000), /longer than 9 kB/],
    [`v=2${'&'.repeat(300)}`, /more than 200 parts/],
  ];

  it.each(cases)('%.40s falls back to the default and says why', async (fragment, message) => {
    const link = await readLink(fragment, CATALOG);
    expect(link.problems[0]).toMatch(message);
    expect(link.scenario).toEqual(base);
  });

  it('says which parts mean nothing beside a packed scenario', async () => {
    const z = await pack(JSON.stringify(base));
    const link = await readLink(`v=2&z=${z}&groups.dhry.nice=5&k=3`, CATALOG);
    expect(link.problems).toEqual([
      'In the link, groups.dhry.nice, k means nothing beside z. It is left out.',
    ]);
  });

  it('keeps right values beside wrong ones', async () => {
    const link = await readLink('v=2&k=7&nice=99', CATALOG);
    expect(normal(link.scenario).groups[0]?.count).toBe(7);
    expect(link.problems).toHaveLength(1);
  });

  it('ignores keys that a scenario does not have', async () => {
    const text = `{"__proto__":{"polluted":1},"constructor":1,${JSON.stringify(base).slice(1)}`;
    const link = await readLink(`v=2&z=${await pack(text)}`, CATALOG);
    expect(sorted(link.scenario)).toEqual(sorted(base));
    expect(Object.getPrototypeOf(link.scenario)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });
});
