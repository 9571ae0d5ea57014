import { describe, expect, it } from 'vitest';
import { checked, realCore } from '../sim/test-core';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import { readFile } from './read';
import { fileStem } from './save';
import { type Kept, Shelf, type Store } from './shelf';

const catalog = JSON.parse(realCore.catalog()) as Catalog;
const base = catalog.scenarios[0]?.scenario as Scenario;
const check = (scenario: unknown) => Promise.resolve(checked(scenario));

const FILE = `{
  "version": 1,
  "name": "A",
  "machine": "i7860",
  "schedulers": [{ "id": "bfs" }],
  "groups": [
    {
      "name": "a",
      "count": 3,
      "behaviour": { "kind": "dhrystone" }
    }
  ],
  "end": { "atNs": 1000 }
}`;

describe('a file', () => {
  it('that is right is a scenario', async () => {
    const { scenario, problems } = await readFile(FILE, check);
    expect(problems).toEqual([]);
    // As the core reads it.
    expect(scenario).toMatchObject({ seed: 1, groups: [{ count: 3, nice: 0 }], edits: [] });
  });

  const cases: readonly (readonly [string, string, string, number | null, string, RegExp])[] = [
    ['a number out of range', '3,', '70000,', 9, 'groups[0].count', /from 0 to 5000 threads/],
    ['a number of no integer', '3,', '3.5,', 9, 'groups[0].count', /floating point/],
    ['a text for a number', '3,', '"3",', 9, 'groups[0].count', /invalid type/],
    ['a field that is none', '"count"', '"size": 1, "count"', 9, 'groups[0].size', /unknown field/],
    ['a key that is none', '"version"', '"colour": 1, "version"', 2, 'colour', /no such field/],
    ['a field missing', '"count": 3,', '', 7, 'groups[0]', /missing field `count`/],
    ['an unknown scheduler', '"bfs"', '"none"', 5, 'schedulers[0].id', /must be one of/],
    ['a forgotten comma', '"A",', '"A"', 4, '', /not JSON: comma expected/],
    ['no end of it', '}\n  ],', '', 12, '', /not JSON/],
    ['no threads', '"groups"', '"troops"', 6, 'troops', /there is no such field/],
    ['no end', '"end": { "atNs": 1000 }', '"seed": 1', 1, '', /missing field `end`/],
  ];

  it.each(cases)('with %s is told by line and field', async (_, from, to, line, path, message) => {
    const { problems } = await readFile(FILE.replace(from, to), check);
    expect(problems[0]?.message).toMatch(message);
    expect(problems[0]).toMatchObject({ line, path });
  });

  it('that is too long is not read', async () => {
    const { problems } = await readFile(' '.repeat(5 << 20), check);
    expect(problems[0]?.message).toBe('The file is longer than 4 MB.');
  });

  it('is called after its scenario, whatever that is called', () => {
    expect(fileStem('Four jobs: BFS, ideal & random')).toBe('four-jobs-bfs-ideal-random');
    expect(fileStem('../../etc/passwd')).toBe('etc-passwd');
    expect(fileStem('ü')).toBe('scenario');
  });
});

/** A store with room for so many characters. */
class SmallStore implements Store {
  readonly #items = new Map<string, string>();
  readonly #room: number;
  constructor(room: number) {
    this.#room = room;
  }
  get length(): number {
    return this.#items.size;
  }
  key(i: number): string | null {
    return [...this.#items.keys()][i] ?? null;
  }
  getItem(key: string): string | null {
    return this.#items.get(key) ?? null;
  }
  removeItem(key: string): void {
    this.#items.delete(key);
  }
  setItem(key: string, value: string): void {
    const others = [...this.#items].filter(([k]) => k !== key);
    if (others.reduce((sum, [, v]) => sum + v.length, value.length) > this.#room)
      throw new DOMException('full', 'QuotaExceededError');
    this.#items.set(key, value);
  }
}

const entry = (n: number): Kept => ({
  id: `w${String(n)}`,
  name: `work ${String(n)}`,
  baseId: 'bfs-smt',
  t: n,
  savedAt: n,
});

describe('the shelf', () => {
  it('gives back what it keeps, newest first', () => {
    const shelf = new Shelf(new SmallStore(1e6));
    for (let n = 1; n <= 12; n++) shelf.keep(entry(n), base);
    expect(shelf.list().map((k) => k.id)).toEqual([
      'w12',
      'w11',
      'w10',
      'w9',
      'w8',
      'w7',
      'w6',
      'w5',
    ]);
    expect(shelf.take('w12')).toEqual({ kept: entry(12), scenario: base });
  });

  it('makes room by forgetting the oldest', () => {
    const shelf = new Shelf(new SmallStore(2500));
    for (let n = 1; n <= 5; n++) expect(shelf.keep(entry(n), base)).toBe(true);
    expect(shelf.list()[0]?.id).toBe('w5');
    expect(shelf.list().length).toBeLessThan(5);
  });

  it('says so when nothing can be kept', () => {
    expect(new Shelf(new SmallStore(10)).keep(entry(1), base)).toBe(false);
    expect(new Shelf(null).keep(entry(1), base)).toBe(false);
    expect(new Shelf(null).list()).toEqual([]);
  });

  it('passes over what somebody else wrote there', () => {
    const store = new SmallStore(1e6);
    store.setItem('timeslice.work.a', '{"__proto__": 1}');
    store.setItem('timeslice.work.b', 'nonsense');
    store.setItem('timeslice.work.c', JSON.stringify({ ...entry(1), scenario: '[]' }));
    const shelf = new Shelf(store);
    expect(shelf.take('a')).toBeNull();
    expect(shelf.take('c')).toBeNull();
    expect(shelf.list()).toHaveLength(1);
  });
});
