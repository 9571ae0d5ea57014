// The page as one HTML file; scripts/build-single.mjs finishes it.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

const here = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** The package has an address of the core of its own, as a default that nobody uses: the core would be in the file twice. */
const coreOnce = () => ({
  name: 'core-once',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/pkg/sim_wasm.js')) return null;
    const address = "new URL('sim_wasm_bg.wasm', import.meta.url)";
    if (!code.includes(address)) throw new Error(`there is no ${address} in ${id}`);
    return { code: code.replace(address, 'undefined'), map: null };
  },
});

export default defineConfig({
  root: here('.'),
  publicDir: false,
  cacheDir: here('../.cache/vite-single'),
  base: './',
  plugins: [svelte(), viteSingleFile({ removeViteModuleLoader: true })],
  // Pages from a disk can load no module, and so neither can their workers.
  worker: { format: 'iife', plugins: () => [coreOnce()] },
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
