// The same WebAssembly packages that the page loads, under Node.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure } from './log.mjs';
import { judgeName, lessonsName, packageName, wasmPackage } from './paths.mjs';

/** Loads the simulation, or the one from another folder. */
export const loadWasm = (folder = wasmPackage) => load(packageName, folder);

/** Loads the judge of the published claims, and gives it its data as the page does. */
export async function loadJudge() {
  const judge = await load(judgeName, wasmPackage);
  judge.provideClaims(readFileSync(path.join(wasmPackage, 'claims.json'), 'utf8'));
  return judge;
}

let loads = 0;

/** Loads lessons again each time: a package takes its texts only once, and `npm run dev` rebuilds them. */
export const loadLessons = () => load(lessonsName, wasmPackage, `?${String((loads += 1))}`);

async function load(name, folder, version = '') {
  const script = path.join(folder, `${name}.js`);
  if (!existsSync(script)) {
    throw new Failure('The WebAssembly package is not built. Type: npm run build:wasm');
  }
  const wasm = await import(`${pathToFileURL(script).href}${version}`);
  const bytes = readFileSync(path.join(folder, `${name}_bg.wasm`));
  await wasm.default({ module_or_path: bytes });
  return wasm;
}
