/**
 * The work that this browser keeps, in IndexedDB: each piece with its scenario, its origin and its differences from
 * that. Only the user removes pieces. Loaded after the first picture.
 *
 * Every version of the page on a host uses the same database, so entries must stay readable: new fields may be
 * missing in old entries.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { newestFirst } from '../lib/newest';
import type { Scenario } from '../sim/types/Scenario';
import { OldKeptStore, oldStore, type Store } from './old-kept-store';
import { readKept, readScenario } from './read-kept';

const DATABASE = 'timeslice';
const VERSION = 1;

/** The data about a kept piece of work. */
export interface Kept {
  readonly id: string;
  /** Name that the user gave it; empty if none. */
  readonly title: string;
  /** Name of its scenario. */
  readonly name: string;
  /** Shipped scenario that links to it start from. */
  readonly baseId: string;
  /** Its origin: a shipped scenario or a file; empty if not known. */
  readonly origin: string;
  /** Differences from its origin, in words. */
  readonly differs: readonly string[];
  /** Simulated time at which it was left, in ns. */
  readonly t: number;
  /** When it was last changed, in ms since 1970. */
  readonly savedAt: number;
  /** Characters of the scenario. */
  readonly size: number;
}

/**
 * A piece of work as it was written, perhaps by another version of the page; and the scenario it was made from if
 * that is not a shipped one (else null). The core has read neither.
 */
export interface StoredWork {
  readonly kept: Kept;
  readonly scenario: unknown;
  readonly origin: unknown;
}

/** An entry that cannot be read. It stays as it is until the person forgets it. */
export interface Damaged {
  /** What may have been its name. */
  readonly name: string;
  /** Whether an older version kept it, in `localStorage`. */
  readonly isOld: boolean;
  readonly key: IDBValidKey;
}

/** What a store holds. */
interface Holding {
  /** Newest first. */
  readonly works: readonly Kept[];
  readonly damaged: readonly Damaged[];
}

/** The scenarios of larger works are tried when they are opened, not when they are listed. */
const TRIED = 200_000;

/** Keys and values as they should be. What is read is not trusted to be so. */
interface Tables extends DBSchema {
  kept: { key: IDBValidKey; value: Kept };
  /** Scenarios as text, by the id of the work. */
  texts: { key: IDBValidKey; value: unknown };
  /** The origins of works, in the same way. */
  origins: { key: IDBValidKey; value: unknown };
}

const TABLES = ['kept', 'texts', 'origins'] as const;

async function openTables(): Promise<IDBPDatabase<Tables>> {
  try {
    return await openDB<Tables>(DATABASE, VERSION, {
      upgrade(db) {
        db.createObjectStore('kept', { keyPath: 'id' });
        db.createObjectStore('texts');
        db.createObjectStore('origins');
      },
      blocking(_, __, event) {
        // A newer page needs to change the tables.
        (event.target as IDBDatabase).close();
      },
    });
  } catch (error) {
    // A newer page in another tab has changed them.
    if (error instanceof DOMException && error.name === 'VersionError') return openDB(DATABASE);
    throw error;
  }
}

/** The keptStore. */
export class KeptStore {
  readonly #db: IDBPDatabase<Tables>;
  readonly #old: OldKeptStore | null;
  /** Works whose scenario can be read, or cannot, as far as that was tried. */
  readonly #tried = new Map<string, boolean>();

  private constructor(db: IDBPDatabase<Tables>, old: OldKeptStore | null) {
    this.#db = db;
    this.#old = old;
  }

  /** Opens the browser's store and takes over what older versions kept in `old`. Rejects where storage is refused. */
  static async open(old: Store | null = oldStore()): Promise<KeptStore> {
    const db = await openTables();
    const keptStore = new KeptStore(db, old && new OldKeptStore(old));
    await keptStore.#takeOver();
    return keptStore;
  }

  /** The kept pieces of work, newest first. */
  async list(): Promise<readonly Kept[]> {
    return (await this.holding()).works;
  }

  /** What is kept, and what cannot be read of it. */
  async holding(): Promise<Holding> {
    const tx = this.#db.transaction(TABLES);
    const [about, texts] = [tx.objectStore('kept'), tx.objectStore('texts')];
    const keys = [...(await about.getAllKeys()), ...(await texts.getAllKeys())];
    const works: Kept[] = [];
    const damaged: Damaged[] = [];
    for (const key of new Map(
      keys.map((each) => [`${typeof each} ${nameOf(each)}`, each]),
    ).values()) {
      const value: unknown = await about.get(key);
      const kept = readKept(key, value);
      if (kept && (await this.#isReadable(kept, () => texts.get(kept.id)))) works.push(kept);
      else damaged.push({ name: nameIn(value) ?? nameOf(key), isOld: false, key });
    }
    for (const key of this.#old?.damaged() ?? []) damaged.push({ name: key, isOld: true, key });
    return { works: works.sort((a, b) => newestFirst(a.savedAt, b.savedAt)), damaged };
  }

  async #isReadable({ id, size }: Kept, textOf: () => Promise<unknown>): Promise<boolean> {
    const tried = this.#tried.get(id);
    if (tried !== undefined) return tried;
    const text = await textOf();
    if (typeof text === 'string' && text.length > TRIED && size === text.length) return true;
    const isReadable = readScenario(text) !== null;
    this.#tried.set(id, isReadable);
    return isReadable;
  }

  /** A kept piece of work; null if there is none, or if its scenario cannot be read. */
  async take(id: string): Promise<StoredWork | null> {
    const { about, text, origin } = await this.#rows(id);
    const kept = readKept(id, about);
    if (!kept || text === undefined) return null;
    const scenario = readScenario(text);
    this.#tried.set(id, scenario !== null);
    // Without its origin, work is as good as before.
    return scenario && { kept, scenario, origin: readScenario(origin) };
  }

  /** An entry that cannot be read, as text. */
  async textOf({ isOld, key }: Damaged): Promise<string> {
    if (isOld) return this.#old?.raw(String(key)) ?? '';
    return JSON.stringify(await this.#rows(key), null, 1);
  }

  async #rows(key: IDBValidKey): Promise<{ about: unknown; text: unknown; origin: unknown }> {
    const tx = this.#db.transaction(TABLES);
    const [about, text, origin] = await Promise.all([
      tx.objectStore('kept').get(key) as Promise<unknown>,
      tx.objectStore('texts').get(key),
      tx.objectStore('origins').get(key),
    ]);
    return { about, text, origin };
  }

  /**
   * Keeps a piece of work in place of the one with its id; `origin` is written if given. Rejects if there is no room,
   * and then changes nothing.
   */
  async keep(kept: Omit<Kept, 'size'>, scenario: Scenario, origin: Scenario | null): Promise<void> {
    const text = JSON.stringify(scenario);
    await this.#put({ ...kept, size: text.length }, text, origin && JSON.stringify(origin));
  }

  /** Gives a piece of work another name. */
  async rename(id: string, title: string): Promise<void> {
    const tx = this.#db.transaction('kept', 'readwrite');
    const kept = await tx.store.get(id);
    if (kept) await tx.store.put({ ...kept, title });
    await tx.done;
  }

  /** Forgets a piece of work; resolves to a function that restores it. */
  async drop(key: IDBValidKey): Promise<() => Promise<void>> {
    const { about, text, origin } = await this.#rows(key);
    const tx = this.#db.transaction(TABLES, 'readwrite');
    await Promise.all([...TABLES.map((table) => tx.objectStore(table).delete(key)), tx.done]);
    return async () => {
      const back = this.#db.transaction(TABLES, 'readwrite', { durability: 'strict' });
      // As it was, however that is.
      if (about !== undefined) await back.objectStore('kept').put(about as Kept);
      if (text !== undefined) await back.objectStore('texts').put(text, key);
      if (origin !== undefined) await back.objectStore('origins').put(origin, key);
      await back.done;
    };
  }

  /** Forgets an entry that cannot be read, in the same way. */
  async dropDamaged({ isOld, key }: Damaged): Promise<() => Promise<void>> {
    if (!isOld) return this.drop(key);
    const [old, id] = [this.#old, String(key)];
    const text = old?.raw(id) ?? '';
    old?.drop(id);
    return () => {
      old?.restore(id, text);
      return Promise.resolve();
    };
  }

  async #put(kept: Kept, text: string, origin: string | null): Promise<void> {
    // Strict: the work is on the disk before it counts as kept. Otherwise a browser that is killed would lose the
    // last changes.
    const tx = this.#db.transaction(TABLES, 'readwrite', { durability: 'strict' });
    const puts: Promise<unknown>[] = [tx.done];
    try {
      this.#tried.delete(kept.id);
      puts.push(tx.objectStore('kept').put(kept));
      puts.push(tx.objectStore('texts').put(text, kept.id));
      if (origin !== null) puts.push(tx.objectStore('origins').put(origin, kept.id));
      // Committed at once, so that it holds even if the page is closed at this moment.
      tx.commit();
    } catch (error) {
      void Promise.allSettled(puts);
      tx.abort();
      throw error;
    }
    await Promise.all(puts);
  }

  async #takeOver(): Promise<void> {
    for (const { kept, text } of this.#old?.all() ?? []) {
      const there: unknown = await this.#db.get('kept', kept.id);
      const isNewer =
        there === undefined || (readKept(kept.id, there)?.savedAt ?? 0) < kept.savedAt;
      try {
        if (isNewer) await this.#put(kept, text, null);
      } catch {
        // No room: it stays where it is.
        continue;
      }
      // Only now is the new copy safe.
      this.#old?.drop(kept.id);
    }
  }
}

/** A name for a key of any kind. */
function nameOf(key: IDBValidKey): string {
  return typeof key === 'string' ? key : `(${JSON.stringify(key) ?? typeof key})`;
}

/** The name in the data about a piece of work; null if there is none. */
function nameIn(value: unknown): string | null {
  const { title, name } = { title: null, name: null, ...(value as object | undefined) };
  const found = [title, name].find((text: unknown) => typeof text === 'string' && text !== '');
  return found ?? null;
}
