/** Fields of plain data by names and positions. Values are read and copied, never changed in place. */

/** Where a field is. */
export type Path = readonly (string | number)[];

/** The value of a field; undefined where there is none. */
export function getAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key)
        ? (at as Record<string | number, unknown>)[key]
        : undefined,
    value,
  );
}

/** The same with another value in a field; `undefined` leaves the field out. */
export function setAt<T>(value: T, path: Path, next: unknown): T {
  const [key, ...rest] = path;
  if (key === undefined) return next as T;
  if (Array.isArray(value)) {
    const copy: unknown[] = [...(value as readonly unknown[])];
    copy[Number(key)] = setAt(copy[Number(key)], rest, next);
    return copy as T;
  }
  const fields = value as Record<string | number, unknown> | undefined;
  const inner = setAt(fields?.[key], rest, next);
  const kept = Object.entries({ ...fields, [key]: inner }).filter(([, v]) => v !== undefined);
  return Object.fromEntries(kept) as T;
}
