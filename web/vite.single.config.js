// The page as one HTML file; scripts/build-single.mjs finishes it.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import { languagePlugins } from './i18n/plugin.js';
import { notices } from './notices.js';

const here = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** Code that reads the compressed package in the file: base64 makes it larger, and files on a disk are not compressed. */
function unpacked(file) {
  const bytes = gzipSync(readFileSync(file), { level: 9 });
  const data = `fetch('data:application/gzip;base64,${bytes.toString('base64')}')`;
  return `new Response((await ${data}).body.pipeThrough(new DecompressionStream('gzip')))`;
}

/** Replaces the only matching place of a module. */
function replaced(code, id, address, by) {
  const [, name] = address.exec(code) ?? [];
  if (!name) throw new Error(`${id} does not say where the package is`);
  return { code: code.replace(address, () => by(name)), map: null };
}

/** The package is compressed, and in the file once: where workers load it. The page takes it from a worker. */
const packed = () => ({
  name: 'packed-package',
  enforce: 'pre',
  transform: {
    filter: { id: /\/sim\/(load-core\.ts|pkg\/sim_wasm\.js)$/ },
    handler(code, id) {
      const address = /await fetch\(new URL\('\.\/(pkg\/\w+\.wasm)', import\.meta\.url\)\)/;
      if (id.endsWith('/load-core.ts'))
        return replaced(code, id, address, (name) => unpacked(path.join(path.dirname(id), name)));
      // A default that is not used here.
      return replaced(code, id, /new URL\('(\w+\.wasm)', import\.meta\.url\)/, () => 'undefined');
    },
  },
});

/** The language of this file: a page from a disk cannot load another. */
const locale = process.env.TIMESLICE_LOCALE ?? 'en';

const terms = notices();

export default defineConfig({
  root: here('.'),
  publicDir: false,
  cacheDir: here('../.cache/vite-single'),
  base: './',
  plugins: [
    ...languagePlugins(locale),
    svelte(),
    packed(),
    terms.inPage(),
    viteSingleFile({ removeViteModuleLoader: true }),
  ],
  // Pages from a disk cannot load modules, and neither can their workers.
  worker: { format: 'iife', plugins: () => [packed(), terms.inWorkers()] },
  define: {
    __SINGLE_FILE__: 'true',
    __SERVICE_WORKER__: 'false',
    __LOCALE__: JSON.stringify(locale),
    __POLICIES__: 'null',
    __FIRST__: 'null',
    __LANGUAGES__: '{}',
  },
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
