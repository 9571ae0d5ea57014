/**
 * What older links mean today: for each older version of the format, its fields as fields of the next
 * version. A link once made must open for good; `corpus.json` keeps some of each version.
 */

/** Fields of a version as fields of the next. */
export type Upgrade = (fields: ReadonlyMap<string, string>) => ReadonlyMap<string, string>;

/** Upgrade by the version that it reads. */
export const UPGRADES: ReadonlyMap<number, Upgrade> = new Map<number, Upgrade>([
  // Version 1 had form encoding, in which a plus sign is a space.
  [1, (fields) => new Map([...fields].map(([key, value]) => [key, value.replaceAll('+', '%20')]))],
]);
