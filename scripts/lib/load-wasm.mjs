// The same WebAssembly package that the page loads, under Node.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure } from './log.mjs';
import { packageName, wasmPackage } from './paths.mjs';

let loads = 0;

/** Loads the package, or the one in another folder. Loads it anew each time: `npm run dev` rebuilds it. */
export async function loadWasm(folder = wasmPackage) {
  const script = path.join(folder, `${packageName}.js`);
  if (!existsSync(script)) {
    throw new Failure('The WebAssembly package is not built. Type: npm run build:wasm');
  }
  const wasm = await import(`${pathToFileURL(script).href}?${String((loads += 1))}`);
  const bytes = readFileSync(path.join(folder, `${packageName}_bg.wasm`));
  await wasm.default({ module_or_path: bytes });
  return wasm;
}
