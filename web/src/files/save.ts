/** Scenarios as files, and the names of files. */

/** A name as the beginning of a file's name. */
export function fileStem(name: string): string {
  const stem = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return stem.replace(/^-|-$/g, '').slice(0, 60) || 'scenario';
}

/** A scenario as a file. */
export function scenarioFile(scenario: unknown): Blob {
  return new Blob([`${JSON.stringify(scenario, null, 2)}\n`], { type: 'application/json' });
}
