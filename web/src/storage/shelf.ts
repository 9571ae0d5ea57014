/**
 * The work that this browser keeps, in IndexedDB: each piece with its scenario, its origin and its differences from
 * that. Only the user removes pieces. Loaded after the first picture.
 *
 * Every version of the page on a host uses the same database, so entries must stay readable: new fields may be
 * missing in old entries.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Scenario } from '../sim/types/Scenario';
import { parseScenario } from '../files/parse';
import { OldShelf, oldStore, type Store } from './old-shelf';

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

interface Tables extends DBSchema {
  kept: { key: string; value: Kept };
  /** Scenarios as text, by the id of the work. */
  texts: { key: string; value: string };
  /** The origins of works, in the same way. */
  origins: { key: string; value: string };
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

/** The shelf. */
export class Shelf {
  readonly #db: IDBPDatabase<Tables>;

  private constructor(db: IDBPDatabase<Tables>) {
    this.#db = db;
  }

  /** Opens the browser's shelf and takes over what older versions kept in `old`. Rejects where storage is refused. */
  static async open(old: Store | null = oldStore()): Promise<Shelf> {
    const db = await openTables();
    const shelf = new Shelf(db);
    if (old) await shelf.#takeOver(new OldShelf(old));
    return shelf;
  }

  /** The kept pieces of work, newest first. */
  async list(): Promise<readonly Kept[]> {
    const all = await this.#db.getAll('kept');
    return all.sort((a, b) => b.savedAt - a.savedAt);
  }

  /** A kept piece of work, or null. */
  async take(id: string): Promise<StoredWork | null> {
    const tx = this.#db.transaction(TABLES);
    const [kept, text, origin] = await Promise.all([
      tx.objectStore('kept').get(id),
      tx.objectStore('texts').get(id),
      tx.objectStore('origins').get(id),
    ]);
    if (!kept || text === undefined) return null;
    try {
      const from = origin === undefined ? null : parseScenario(origin);
      return { kept, scenario: parseScenario(text), origin: from };
    } catch {
      return null;
    }
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
  async drop(id: string): Promise<() => Promise<void>> {
    const tx = this.#db.transaction(TABLES, 'readwrite');
    const [kept, text, origin] = await Promise.all([
      tx.objectStore('kept').get(id),
      tx.objectStore('texts').get(id),
      tx.objectStore('origins').get(id),
    ]);
    await Promise.all([...TABLES.map((table) => tx.objectStore(table).delete(id)), tx.done]);
    return async () => {
      if (kept && text !== undefined) await this.#put(kept, text, origin ?? null);
    };
  }

  async #put(kept: Kept, text: string, origin: string | null): Promise<void> {
    // Strict: the work is on the disk before it counts as kept. Otherwise a browser that is killed would lose the
    // last changes.
    const tx = this.#db.transaction(TABLES, 'readwrite', { durability: 'strict' });
    const puts: Promise<unknown>[] = [tx.done];
    try {
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

  async #takeOver(old: OldShelf): Promise<void> {
    for (const { kept, text } of old.all()) {
      const there = await this.#db.get('kept', kept.id);
      const entry = { ...kept, title: '', origin: '', differs: [], size: text.length };
      if (!there || there.savedAt < kept.savedAt) await this.#put(entry, text, null);
      // Only now is the new copy safe.
      old.drop(kept.id);
    }
  }
}
