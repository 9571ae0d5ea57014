/** Why a property was not set: what its value must be, or what there is in place of what the path names. */
export type Reason = { readonly must: string } | { readonly known: readonly string[] };

/** A property that was not set. */
export class NotSet extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super();
    this.reason = reason;
  }
}
