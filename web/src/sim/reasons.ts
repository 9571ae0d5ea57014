/** The meaning of reason numbers in the records of a lane: their index in the table of the lane's scheduler. */
import type { Catalog } from './types/Catalog';
import type { ReasonEntry } from './types/ReasonEntry';

/** The reasons that records of a lane may give. */
export class Reasons {
  /** All of them, in the order of the table. */
  readonly all: readonly ReasonEntry[];

  constructor(catalog: Pick<Catalog, 'schedulers'>, scheduler: string) {
    this.all = catalog.schedulers.find((s) => s.id === scheduler)?.reasons ?? [];
  }

  /** The reason with a number in a record; null for none. */
  of(code: number): ReasonEntry | null {
    return this.all[code] ?? null;
  }

  /** Whether there is a reason with this name. */
  has(id: string): boolean {
    return this.all.some((reason) => reason.id === id);
  }
}
