// The page as one HTML file; scripts/build-single.mjs finishes it.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

const here = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** Packages are compressed in the file, for base64 makes them larger, and a disk compresses nothing. */
const packed = () => ({
  name: 'packed-packages',
  transform: {
    filter: { id: /\/sim\/pkg\/\w+_wasm\.js$/ },
    handler(code, id) {
      const address = /new URL\('(\w+\.wasm)', import\.meta\.url\)/;
      const [, name] = address.exec(code) ?? [];
      if (!name) throw new Error(`${id} does not say where its package is`);
      const bytes = gzipSync(readFileSync(path.join(path.dirname(id), name)), { level: 9 });
      const data = `fetch('data:application/gzip;base64,${bytes.toString('base64')}')`;
      const stream = `(await ${data}).body.pipeThrough(new DecompressionStream('gzip'))`;
      return code.replace(address, () => `await new Response(${stream}).arrayBuffer()`);
    },
  },
});

export default defineConfig({
  root: here('.'),
  publicDir: false,
  cacheDir: here('../.cache/vite-single'),
  base: './',
  plugins: [svelte(), packed(), viteSingleFile({ removeViteModuleLoader: true })],
  // Pages from a disk can load no module, and so neither can their workers.
  worker: { format: 'iife', plugins: () => [packed()] },
  define: { __SINGLE_FILE__: 'true' },
  resolve: { alias: [{ find: /^\.\/spawn$/, replacement: here('src/spawn-single.ts') }] },
  build: {
    outDir: here('../.cache/single'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 100_000_000,
    modulePreload: false,
    reportCompressedSize: false,
  },
});
