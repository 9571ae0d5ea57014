/**
 * The meaning of older links: for each older version of the format, its fields as fields of the next version. A link
 * must open for ever; `corpus.json` has examples of each version.
 */

/** Fields of a version as fields of the next. */
export type Upgrade = (fields: ReadonlyMap<string, string>) => ReadonlyMap<string, string>;

/** Upgrade by the version that it reads. */
export const UPGRADES: ReadonlyMap<number, Upgrade> = new Map<number, Upgrade>([
  // Version 1 used form encoding, in which a plus sign is a space.
  [1, (fields) => new Map([...fields].map(([key, value]) => [key, value.replaceAll('+', '%20')]))],
]);
