// Compares the files that the service worker stores with the built files: if one is missing, the page does not open
// without a network.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Failure, note } from './log.mjs';

/** Files that the page does not need to run. Own policies are kept when they were used for the first time. */
const notKept = /^(sw\.js|timeslice(\.\w+)?\.html|reset\.(html|js)|assets\/policies-\w+\.wasm)$/;

/** Addresses that a service worker by workbox stores. */
export function keptIn(worker) {
  return [...worker.matchAll(/\burl:\s*"([^"]+)"/g)].map(([, url]) => url);
}

/** Fails unless everything in the folder is stored. */
export function checkPrecache(folder) {
  const kept = new Set(keptIn(readFileSync(path.join(folder, 'sw.js'), 'utf8')));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'),
    );
  const missing = files.filter((file) => !kept.has(file) && !notKept.test(file));
  if (missing.length > 0)
    throw new Failure(`Not kept for use without a network: ${missing.join(', ')}`);
  if (!files.some((file) => file.endsWith('.wasm')))
    throw new Failure('There is no WebAssembly in the page.');
  note(`${kept.size} files are kept for use without a network`);
}
