import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (relative) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  root: here('.'),
  publicDir: here('../public'),
  cacheDir: here('../.cache/vite'),
  // Relative, so that the built page works from any folder of any static host.
  base: './',
  plugins: [svelte()],
  worker: { format: 'es' },
  // Under vitest, components must come from Svelte's browser build, not its server build.
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  server: {
    // The scenarios are imported from beside this folder.
    fs: { allow: [here('..')] },
  },
  build: {
    outDir: here('../dist'),
    emptyOutDir: true,
    target: 'es2022',
    // Nothing as data: URLs, so that a strict Content-Security-Policy holds.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.ts'],
    restoreMocks: true,
    // The tests simulate time; anything slow is a mistake.
    testTimeout: 10_000,
  },
});
