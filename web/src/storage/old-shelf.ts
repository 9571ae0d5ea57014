/** Work that versions before IndexedDB kept in `localStorage`, one entry for each scenario. The shelf reads it once. */

const PREFIX = 'timeslice.work.';

/** The part of localStorage that is used. */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** The data about a piece of work. */
export interface OldKept {
  readonly id: string;
  readonly name: string;
  readonly baseId: string;
  readonly t: number;
  readonly savedAt: number;
}

/** See the module comment. */
export class OldShelf {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** All pieces with their scenarios as text; entries of other programs are skipped. */
  all(): readonly { readonly kept: OldKept; readonly text: string }[] {
    const keys = Array.from({ length: this.#store.length }, (_, i) => this.#store.key(i) ?? '');
    return keys
      .filter((key) => key.startsWith(PREFIX))
      .flatMap((key) => this.#read(key.slice(PREFIX.length)) ?? []);
  }

  /** Forgets a piece. */
  drop(id: string): void {
    this.#store.removeItem(PREFIX + id);
  }

  #read(id: string): { kept: OldKept; text: string } | null {
    try {
      const value: unknown = JSON.parse(this.#store.getItem(PREFIX + id) ?? 'null');
      if (typeof value !== 'object' || value === null) return null;
      const { name, baseId, t, savedAt, scenario } = value as Record<string, unknown>;
      if (typeof name !== 'string' || typeof baseId !== 'string') return null;
      if (typeof t !== 'number' || typeof savedAt !== 'number') return null;
      if (typeof scenario !== 'string') return null;
      return { kept: { id, name, baseId, t, savedAt }, text: scenario };
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
