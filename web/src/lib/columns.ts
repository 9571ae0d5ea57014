/** Finds columns by name, so that no part of the page depends on their order. */
export class Columns {
  readonly #index: ReadonlyMap<string, number>;

  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    this.names = names;
    this.#index = new Map(names.map((name, i) => [name, i]));
  }

  /** Position of a column; an error that names it when the core does not have it. */
  at(name: string): number {
    const i = this.#index.get(name);
    if (i === undefined) throw new Error(`the core has no column "${name}"`);
    return i;
  }

  /** Position of a column, or −1. */
  find(name: string): number {
    return this.#index.get(name) ?? -1;
  }
}
