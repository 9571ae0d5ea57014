/** Offers a text or a picture to the user as a file. */

/** Long enough for the slowest browser to begin with the download. */
const KEEP_MS = 10_000;

/** Hands a file to the browser's download. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, KEEP_MS);
}

/** A name as the beginning of a file's name. */
export function fileStem(name: string): string {
  const stem = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return stem.replace(/^-|-$/g, '').slice(0, 60) || 'scenario';
}

/** A scenario as a file. */
export function scenarioFile(scenario: unknown): Blob {
  return new Blob([`${JSON.stringify(scenario, null, 2)}\n`], { type: 'application/json' });
}
