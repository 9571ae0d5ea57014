/** What the judge says of claims and figures, by its English words. Other languages are built with a table in the place of this one. */
export const TABLE: Readonly<Record<string, string>> = {};
