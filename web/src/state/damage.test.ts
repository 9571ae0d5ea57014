/** What the browser kept may come back damaged: every good entry opens, and nothing else is touched. */
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import fc from 'fast-check';
import { openDB } from 'idb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { must } from '../lib/assert';
import { keptLink } from '../link/link';
import { realCore } from '../sim/test-core';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import { keptLessons } from '../storage/lesson-answers';
import { oldStore } from '../storage/old-kept-store';
import { KeptStore } from '../storage/kept-store';
import { Prefs } from './prefs.svelte';
import { openLab } from './test-lab';

const DAMAGES = Number(process.env['TIMESLICE_CASES'] ?? 200);
const SEED = Number(process.env['TIMESLICE_FUZZ_SEED'] ?? 318);

const catalog = JSON.parse(realCore.catalog()) as Catalog;
const base = catalog.scenarios[0]?.scenario as Scenario;

const entry = (id: string, n: number) => ({
  id,
  title: '',
  name: `work ${String(n)}`,
  baseId: 'bfs-smt',
  origin: 'BFS',
  differs: ['seed 5'],
  t: n * 1_000_000,
  savedAt: 1_795_735_183_036 + n,
});

const store = must(oldStore(), 'a store');
const forgetAll = () => {
  for (let key = store.key(0); key !== null; key = store.key(0)) store.removeItem(key);
};

const GOOD = ['good1', 'good2'];
const TABLES = ['kept', 'texts', 'origins'] as const;
const FIELDS = ['title', 'name', 'baseId', 'origin', 'differs', 't', 'savedAt', 'size'];

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    '{',
    '[]',
    '{"version":1',
    '\ud800',
    '__proto__',
    1e300,
    -1,
    NaN,
    Infinity,
    0.5,
    [],
    [null, 7],
    {},
    new Date(NaN),
    new Uint8Array(5),
  ),
  fc.jsonValue(),
);
const name = fc.constantFrom('bad1', 'bad2', 'bad3', 'a&b=c', '__proto__', 'x'.repeat(60));
/** A key of the database: entries of this page have texts. */
const key = fc.oneof(name, fc.constantFrom<IDBValidKey>(7, new Date(5), ['a'], new Uint8Array(2)));
const damage = fc.oneof(
  fc.record({
    what: fc.constant('field' as const),
    id: name,
    field: fc.constantFrom(...FIELDS),
    odd,
  }),
  fc.record({ what: fc.constant('row' as const), key, table: fc.constantFrom(...TABLES), odd }),
  fc.record({ what: fc.constant('gone' as const), id: name, table: fc.constantFrom(...TABLES) }),
  fc.record({
    what: fc.constant('store' as const),
    name: fc.constantFrom<string>(
      'work.bad1',
      'work.old9',
      'work.',
      'lessons',
      'prefs',
      'language',
    ),
    text: fc.oneof(
      fc.constantFrom(
        '{',
        '"x"',
        'null',
        '[]',
        '../../x',
        '{"l1":{"answers":{"__proto__":{"value":3}},"step":1e300,"at":"x"}}',
        '{"name":"n","baseId":"__proto__","t":-1,"savedAt":1e300,"scenario":"{"}',
        JSON.stringify({ ...entry('o', 1), savedAt: 1e300, scenario: JSON.stringify(base) }),
      ),
      fc.json(),
    ),
  }),
);

async function make(damages: readonly (typeof damage extends fc.Arbitrary<infer T> ? T : never)[]) {
  vi.stubGlobal('indexedDB', new IDBFactory());
  forgetAll();
  const keptStore = await KeptStore.open(null);
  for (const [n, id] of [...GOOD, 'bad1', 'bad2', 'bad3'].entries())
    await keptStore.keep(entry(id, n), { ...base, seed: n + 3 }, n === 1 ? base : null);
  const old = { ...entry('old1', 9), scenario: JSON.stringify({ ...base, seed: 99 }) };
  store.setItem('timeslice.work.old1', JSON.stringify(old));
  const db = await openDB('timeslice');
  for (const each of damages)
    if (each.what === 'store') store.setItem(`timeslice.${each.name}`, each.text);
    else if (each.what === 'gone') await db.delete(each.table, each.id);
    else if (each.what === 'field') {
      const was = ((await db.get('kept', each.id)) ?? { id: each.id }) as Record<string, unknown>;
      if (each.odd === undefined) Reflect.deleteProperty(was, each.field);
      else was[each.field] = each.odd;
      await db.put('kept', was);
    } else if (each.table !== 'kept') await db.put(each.table, each.odd ?? null, each.key);
    else await db.put('kept', { id: each.key, name: each.odd });
  db.close();
}

describe('damaged entries', () => {
  beforeEach(() => () => {
    vi.unstubAllGlobals();
    forgetAll();
  });

  it('leave every good one as it is, and can be saved and forgotten', async () => {
    const when = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
    const cases = fc.array(damage, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cases, async (damages) => {
        await make(damages);
        const keptStore = await KeptStore.open(store);
        const works = await keptStore.list();
        // What Start and the list of kept work show of each.
        for (const work of works) {
          expect(work.differs.join('; ') + when.format(work.savedAt)).not.toBe('');
          expect(keptLink(work)).toMatch(/&kept=[\w-]+$/);
          expect((await keptStore.take(work.id))?.scenario, work.id).toBeTruthy();
        }
        const goods = [...GOOD, 'old1'];
        for (const [n, id] of goods.entries()) {
          const seed = id === 'old1' ? 99 : n + 3;
          expect((await keptStore.take(id))?.scenario, id).toEqual({ ...base, seed });
          expect(works.find((work) => work.id === id)?.savedAt).toBeGreaterThan(1.79e12);
        }
        const { damaged } = await keptStore.holding();
        for (const each of damaged) {
          expect((await keptStore.textOf(each)).length, each.name).toBeGreaterThan(0);
          const back = await keptStore.dropDamaged(each);
          expect((await keptStore.holding()).damaged).toHaveLength(damaged.length - 1);
          await back();
        }
        expect((await keptStore.holding()).damaged).toHaveLength(damaged.length);
        for (const each of damaged) await keptStore.dropDamaged(each);
        expect((await keptStore.holding()).damaged).toEqual([]);
        expect((await keptStore.list()).map(({ id }) => id)).toEqual(works.map(({ id }) => id));
        for (const kept of keptLessons().values()) expect(String(kept.step)).toMatch(/^\d{1,2}$/);
        expect(new Prefs().theme).toBe('system');
      }),
      { numRuns: DAMAGES, seed: SEED },
    );
  }, 60_000);

  it('are shown with what is there: without differences, with a date that is none', async () => {
    await make([{ what: 'field', id: 'bad1', field: 'differs', odd: undefined }]);
    const old = { ...entry('old2', 1), savedAt: 1e300, scenario: JSON.stringify(base) };
    store.setItem('timeslice.work.old2', JSON.stringify(old));
    const works = await (await KeptStore.open(store)).list();
    expect(works.map(({ id }) => id).sort()).toEqual([
      'bad1',
      'bad2',
      'bad3',
      ...GOOD,
      'old1',
      'old2',
    ]);
    for (const { differs, savedAt } of works) {
      expect(differs.join()).toMatch(/^(seed 5)?$/);
      expect(() => new Intl.DateTimeFormat('en').format(savedAt)).not.toThrow();
    }
  });

  it('do not keep a good one from opening on the page, nor are they opened', async () => {
    await make([
      { what: 'field', id: 'bad1', field: 'differs', odd: undefined },
      { what: 'row', key: 'bad2', table: 'texts', odd: '{"version":1' },
      { what: 'gone', id: 'bad3', table: 'texts' },
      { what: 'store', name: 'work.bad4', text: '{' },
    ]);
    const lab = await openLab('s.bfs-smt');
    await lab.kept.wake();
    // Without `differs`, work is as good as before.
    expect(lab.kept.list.map(({ id }) => id).sort()).toEqual(['bad1', 'good1', 'good2', 'old1']);
    expect(lab.kept.damaged.map((each) => each.name).sort()).toEqual(['bad4', 'work 3', 'work 4']);
    await lab.kept.open('good2');
    expect(lab.kept.id).toBe('good2');
    expect(lab.config?.scenario.seed).toBe(4);
    await lab.kept.open('bad2');
    expect(lab.kept.id).toBe('good2');
    expect(lab.notices.list.at(-1)?.text).toContain('is damaged');
  });
});
