/** Work that versions before IndexedDB kept in `localStorage`, one entry for each scenario. The store reads it once. */
import { readKept, readScenario } from './read-kept';
import type { Kept } from './kept-store';

const PREFIX = 'timeslice.work.';

/** The part of localStorage that is used. */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** See the module comment. */
export class OldKeptStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** All pieces with their scenarios as text; entries of other programs are skipped. */
  all(): readonly { readonly kept: Kept; readonly text: string }[] {
    return this.#ids().flatMap((id) => this.#read(id) ?? []);
  }

  #ids(): readonly string[] {
    const keys = Array.from({ length: this.#store.length }, (_, i) => this.#store.key(i) ?? '');
    return keys.flatMap((key) => (key.startsWith(PREFIX) ? key.slice(PREFIX.length) : []));
  }

  /** The entries that cannot be read. They stay as they are. */
  damaged(): readonly string[] {
    return this.#ids().filter((id) => this.#read(id) === null);
  }

  /** An entry as it is. */
  raw(id: string): string {
    return this.#store.getItem(PREFIX + id) ?? '';
  }

  /** Writes an entry back. */
  restore(id: string, text: string): void {
    this.#store.setItem(PREFIX + id, text);
  }

  /** Forgets a piece. */
  drop(id: string): void {
    this.#store.removeItem(PREFIX + id);
  }

  #read(id: string): { kept: Kept; text: string } | null {
    try {
      const value: unknown = JSON.parse(this.raw(id));
      const kept = readKept(id, value);
      const { scenario } = value as Readonly<Record<string, unknown>>;
      if (!kept || typeof scenario !== 'string' || !readScenario(scenario)) return null;
      return { kept: { ...kept, size: scenario.length }, text: scenario };
    } catch {
      return null;
    }
  }
}

/** `localStorage`; null where the browser refuses. */
export function oldStore(): Store | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
