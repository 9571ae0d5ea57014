/** What the core says of input that it refuses, by its English sentences with numbered places. Other languages are built with a table in the place of this one. */
export const TABLE: Readonly<Record<string, string>> = {};
