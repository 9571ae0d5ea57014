/** The core's texts by their English words. Builds in other languages replace this file by a table. */
export const TABLE: Readonly<Record<string, string>> = {};
