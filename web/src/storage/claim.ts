/** Only one page at a time writes a piece of work: two tabs with the same one would overwrite each other's changes. */

/** A name for a piece of work that no other has. */
export function newId(): string {
  const [a = 0, b = 0] = crypto.getRandomValues(new Uint32Array(2));
  return a.toString(36) + b.toString(36);
}

/**
 * Claims a piece of work for this page. Resolves to a function that releases it, or to null while another page has
 * it.
 */
export function claim(id: string): Promise<(() => void) | null> {
  const nothing = () => undefined;
  // Missing on hosts without https, in frames without an origin, and in tests.
  const locks =
    typeof navigator === 'undefined' ? null : (navigator as { locks?: LockManager }).locks;
  if (!locks) return Promise.resolve(nothing);
  return new Promise((resolve) => {
    locks
      .request(`timeslice.work.${id}`, { ifAvailable: true }, (lock) =>
        lock
          ? new Promise<void>((release) => {
              resolve(release);
            })
          : resolve(null),
      )
      .catch(() => {
        resolve(nothing);
      });
  });
}
