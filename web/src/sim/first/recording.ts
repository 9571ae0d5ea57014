/**
 * The first answers of the core, kept as files beside the page: the catalog, and each shipped scenario where it opens. A run
 * is a function of its scenario, so what the build recorded is what the core will answer when it is there.
 */
import type { Calls } from '../protocol';
import type { Catalog } from '../types/Catalog';

/** Where the files are, relative to the page. */
export interface Places {
  readonly catalog: string;
  /** By the id of a shipped scenario. */
  readonly scenarios: Readonly<Record<string, string>>;
}

/** The answer to a request for a shipped scenario where it opens. */
export type Opened = Extract<Calls['configure']['result'], { moment: unknown }>;

/** Reads the recordings; null: there is none, or it did not come. */
export interface Recordings {
  catalog(): Promise<Catalog | null>;
  opened(id: string): Promise<Opened | null>;
}

/** JSON has no word for these numbers, and writes −0 as 0. */
const asText = (value: number): number | string =>
  Number.isFinite(value) && !Object.is(value, -0)
    ? value
    : Object.is(value, -0)
      ? '-0'
      : String(value);

const ARRAY = 'float64';

/** An answer as text. */
export const written = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part instanceof Float64Array ? { [ARRAY]: Array.from(part, asText) } : part,
  );

/** An answer from its text. */
export const read = (text: string): unknown =>
  JSON.parse(text, (_, part: unknown) =>
    typeof part === 'object' && part !== null && ARRAY in part
      ? Float64Array.from(part[ARRAY] as readonly (number | string)[], Number)
      : part,
  );

/** Recordings from files; each is fetched once. */
export class RecordedFiles implements Recordings {
  readonly #places: Places;
  readonly #fetch: (place: string) => Promise<string>;
  readonly #coming = new Map<string, Promise<unknown>>();

  constructor(places: Places, fetch: (place: string) => Promise<string>) {
    this.#places = places;
    this.#fetch = fetch;
  }

  catalog(): Promise<Catalog | null> {
    return this.#read(this.#places.catalog) as Promise<Catalog | null>;
  }

  opened(id: string): Promise<Opened | null> {
    const { scenarios } = this.#places;
    const place = Object.hasOwn(scenarios, id) ? scenarios[id] : undefined;
    return this.#read(place) as Promise<Opened | null>;
  }

  /** The core answers, too, so a file that does not come is no loss. */
  async #read(place: string | undefined): Promise<unknown> {
    if (place === undefined) return null;
    let coming = this.#coming.get(place);
    if (!coming) {
      coming = this.#fetch(place).then(read, () => null);
      this.#coming.set(place, coming);
    }
    return coming;
  }
}
