// Paths. Every script works from any current directory.
import { fileURLToPath } from 'node:url';
import path from 'node:path';

export const root = path.resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** A path inside the repository, from its parts. */
export const inRoot = (...parts) => path.join(root, ...parts);

export const dist = inRoot('dist');
/** The page in English alone, which `npm start` serves until the whole one is built. */
export const firstPage = inRoot('.cache', 'first');
/** The page as one file, beside the page of a site, by its language. */
export const singleFile = (locale) =>
  locale === 'en' ? 'timeslice.html' : `timeslice.${locale}.html`;
/** The page in the pseudo-language of the tests. */
export const pseudoPage = inRoot('.cache', 'pseudo');
export const cache = inRoot('.cache');
export const reports = inRoot('.cache', 'reports');
export const wasmCrate = inRoot('sim-core', 'wasm');
export const wasmPackage = inRoot('web', 'src', 'sim', 'pkg');
/** The same with benchmarks, which the page does not contain. */
export const benchPackage = inRoot('.cache', 'bench-wasm');
/** The same with own policies, of which the page loads the core when a lane needs it. */
export const policyPackage = inRoot('.cache', 'policy-wasm');
/** The files in it are `<packageName>.js`, `<packageName>_bg.wasm` and their types. */
export const packageName = 'sim_wasm';
export const experiments = inRoot('scenarios', 'experiments');
export const windows = process.platform === 'win32';
