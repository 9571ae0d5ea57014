/** Values of other pages, looked at without touching their content, which may be of any size. */

/** An object with fields: no list, no bytes, no map. */
export function plainObject(value: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof value !== 'object' || value === null) return null;
  const kind: unknown = Object.getPrototypeOf(value);
  return kind === Object.prototype ? (value as Readonly<Record<string, unknown>>) : null;
}

/** The first field that is none of the known ones; null if there is none. It reads no more names than are known. */
export function strangeField(
  value: Readonly<Record<string, unknown>>,
  isKnown: (field: string) => boolean,
): string | null {
  for (const field in value) if (!isKnown(field)) return field;
  return null;
}
