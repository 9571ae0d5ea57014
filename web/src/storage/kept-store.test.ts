import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { realCore } from '../sim/test-core';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import { type Kept, KeptStore } from './kept-store';

const catalog = JSON.parse(realCore.catalog()) as Catalog;
const base = catalog.scenarios[0]?.scenario as Scenario;

const entry = (n: number): Omit<Kept, 'size'> => ({
  id: `w${String(n)}`,
  title: '',
  name: `work ${String(n)}`,
  baseId: 'bfs-smt',
  origin: 'BFS',
  differs: ['seed 5'],
  t: n,
  savedAt: n,
});

const idsOf = async (keptStore: KeptStore) => (await keptStore.list()).map(({ id }) => id);

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  localStorage.clear();
});

describe('the store', () => {
  it('returns what it keeps, newest first, and forgets nothing by itself', async () => {
    const keptStore = await KeptStore.open(null);
    for (let n = 1; n <= 40; n++) await keptStore.keep(entry(n), base, null);
    expect(await idsOf(keptStore)).toEqual(
      Array.from({ length: 40 }, (_, i) => `w${String(40 - i)}`),
    );
    const again = await KeptStore.open(null);
    const taken = await again.take('w12');
    expect(taken).toEqual({
      kept: expect.objectContaining(entry(12)),
      scenario: base,
      origin: null,
    });
  });

  it('lists what is written now before what a wrong clock has dated into the future', async () => {
    const keptStore = await KeptStore.open(null);
    const now = Date.now();
    const dates = [now - 9_000, now + 4e11, now + 3e11, now - 5_000];
    for (const [i, savedAt] of dates.entries())
      await keptStore.keep({ ...entry(i), savedAt }, base, null);
    expect(await idsOf(keptStore)).toEqual(['w3', 'w0', 'w1', 'w2']);
  });

  it('keeps a scenario of 4 MB beside all others', async () => {
    const keptStore = await KeptStore.open(null);
    await keptStore.keep(entry(1), base, null);
    const notes = 'x'.repeat(4 * 2 ** 20);
    await keptStore.keep(entry(2), { ...base, notes }, { ...base, notes });
    expect(await idsOf(keptStore)).toEqual(['w2', 'w1']);
    expect((await keptStore.take('w2'))?.origin).toMatchObject({ notes });
  });

  it('changes nothing when there is no room', async () => {
    const keptStore = await KeptStore.open(null);
    await keptStore.keep(entry(1), base, null);
    const { put: write } = IDBObjectStore.prototype;
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      value: unknown,
      key?: IDBValidKey,
    ) {
      if (this.name === 'texts') throw new DOMException('full', 'QuotaExceededError');
      return write.call(this, value, key);
    });
    await expect(keptStore.keep(entry(1), { ...base, seed: 9 }, null)).rejects.toThrow('full');
    await expect(keptStore.keep(entry(2), base, null)).rejects.toThrow('full');
    put.mockRestore();
    expect(await idsOf(keptStore)).toEqual(['w1']);
    expect((await keptStore.take('w1'))?.scenario).toEqual(base);
  });

  it('forgets on request, and can restore', async () => {
    const keptStore = await KeptStore.open(null);
    await keptStore.keep(entry(1), { ...base, seed: 3 }, base);
    await keptStore.rename('w1', 'mine');
    const back = await keptStore.drop('w1');
    expect(await keptStore.list()).toEqual([]);
    expect(await keptStore.take('w1')).toBeNull();
    await back();
    expect(await keptStore.take('w1')).toEqual({
      kept: expect.objectContaining({ title: 'mine', savedAt: 1 }),
      scenario: { ...base, seed: 3 },
      origin: base,
    });
  });

  it('takes over once the work that older versions kept', async () => {
    const { name, baseId, t, savedAt } = entry(1);
    const old = { name, baseId, t, savedAt, scenario: JSON.stringify(base) };
    localStorage.setItem('timeslice.work.a', JSON.stringify(old));
    localStorage.setItem('timeslice.work.b', 'nonsense');
    localStorage.setItem('timeslice.work.c', '{"__proto__": 1}');
    localStorage.setItem('timeslice.prefs', '{}');
    const keptStore = await KeptStore.open(localStorage);
    expect((await keptStore.take('a'))?.scenario).toEqual(base);
    expect(await idsOf(keptStore)).toEqual(['a']);
    // An entry that could not be read is not deleted.
    expect(Object.keys(localStorage).sort()).toEqual([
      'timeslice.prefs',
      'timeslice.work.b',
      'timeslice.work.c',
    ]);
    await keptStore.drop('a');
    expect(await idsOf(await KeptStore.open(localStorage))).toEqual([]);
  });

  it('opens a store to which a later version has added', async () => {
    const keptStore = await KeptStore.open(null);
    await keptStore.keep(entry(1), base, null);
    await new Promise<void>((resolve, reject) => {
      const later = indexedDB.open('timeslice', 2);
      later.onupgradeneeded = () => later.result.createObjectStore('more');
      later.onsuccess = () => {
        later.result.close();
        resolve();
      };
      later.onerror = () => {
        reject(new Error('not opened'));
      };
    });
    expect(await idsOf(await KeptStore.open(null))).toEqual(['w1']);
  });
});
