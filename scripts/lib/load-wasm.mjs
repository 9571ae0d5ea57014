// The same WebAssembly package that the page loads, under Node.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure } from './log.mjs';
import { packageName, wasmPackage } from './paths.mjs';

/** Loads it, or the one from another folder. */
export async function loadWasm(folder = wasmPackage) {
  const script = path.join(folder, `${packageName}.js`);
  if (!existsSync(script)) {
    throw new Failure('The WebAssembly package is not built. Type: npm run build:wasm');
  }
  const wasm = await import(pathToFileURL(script).href);
  const bytes = readFileSync(path.join(folder, `${packageName}_bg.wasm`));
  await wasm.default({ module_or_path: bytes });
  return wasm;
}
