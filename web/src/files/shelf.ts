/**
 * Work that this browser keeps: the scenario of each page that was changed, newest first. Written
 * while the page is used, so that neither a crash nor an update of the page loses it; read when the
 * page opens. Where storage is refused (private windows, sandboxed frames) nothing is kept.
 */
import type { Scenario } from '../sim/types/Scenario';
import { parseScenario } from './parse';

const PREFIX = 'timeslice.work.';
const MAX_ENTRIES = 8;

/** A kept piece of work. */
export interface Kept {
  readonly id: string;
  readonly name: string;
  readonly baseId: string;
  readonly t: number;
  /** When it was last changed, in ms since 1970. */
  readonly savedAt: number;
}

/** The part of localStorage that is used. */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** A name for a piece of work that no other has. */
export function newId(): string {
  const [a = 0, b = 0] = crypto.getRandomValues(new Uint32Array(2));
  return a.toString(36) + b.toString(36);
}

/** The shelf. */
export class Shelf {
  readonly #store: Store | null;

  constructor(store: Store | null) {
    this.#store = store;
  }

  /** The browser's own shelf; an empty one where it is refused. */
  static ofBrowser(): Shelf {
    try {
      return new Shelf(localStorage);
    } catch {
      return new Shelf(null);
    }
  }

  /** What is kept, newest first. */
  list(): readonly Kept[] {
    const found: Kept[] = [];
    for (let i = 0; i < (this.#store?.length ?? 0); i++) {
      const key = this.#store?.key(i);
      if (!key?.startsWith(PREFIX)) continue;
      const entry = this.#read(key.slice(PREFIX.length));
      if (entry) found.push(entry.kept);
    }
    return found.sort((a, b) => b.savedAt - a.savedAt);
  }

  /** A kept scenario, or null. */
  take(id: string): { kept: Kept; scenario: unknown } | null {
    const entry = this.#read(id);
    if (!entry) return null;
    try {
      return { kept: entry.kept, scenario: parseScenario(entry.text) };
    } catch {
      return null;
    }
  }

  /** Keeps a scenario, in the place of older ones if it must be. Returns whether it is kept. */
  keep(kept: Kept, scenario: Scenario): boolean {
    const text = JSON.stringify({ ...kept, scenario: JSON.stringify(scenario) });
    const older = this.list().filter((k) => k.id !== kept.id);
    for (const { id } of older.splice(MAX_ENTRIES - 1)) this.drop(id);
    for (;;) {
      try {
        this.#store?.setItem(PREFIX + kept.id, text);
        return this.#store !== null;
      } catch {
        // Full or refused: the oldest goes, and when none is left, so it is.
        const oldest = older.pop();
        if (!oldest) return false;
        this.drop(oldest.id);
      }
    }
  }

  /** Forgets a piece of work. */
  drop(id: string): void {
    try {
      this.#store?.removeItem(PREFIX + id);
    } catch {
      // Refused: then it is not there either.
    }
  }

  #read(id: string): { kept: Kept; text: string } | null {
    try {
      const value: unknown = JSON.parse(this.#store?.getItem(PREFIX + id) ?? 'null');
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
