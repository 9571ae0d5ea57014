/** Whether the browser may clear the page's data when space runs out. */

async function asked(
  question: (storage: StorageManager) => Promise<boolean>,
): Promise<boolean | null> {
  try {
    return await question(navigator.storage);
  } catch {
    return null;
  }
}

/** Whether it has promised not to; null where it does not say. */
export function isPersistent(): Promise<boolean | null> {
  return asked((storage) => storage.persisted());
}

/** Asks it for that promise. */
export function askForPersistence(): Promise<boolean | null> {
  return asked((storage) => storage.persist());
}
