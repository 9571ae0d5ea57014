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
