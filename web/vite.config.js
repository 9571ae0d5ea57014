import { svelte } from '@sveltejs/vite-plugin-svelte';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import { pagePolicy, policyOf } from './csp.js';
import { firstAnswersBeside, recordFirstAnswers } from './first-answers.js';
import { builtLanguages, languagePlugins, remembersEntry } from './i18n/plugin.js';
import { notices } from './notices.js';

/** The language of this build: English, or one that the page loads instead. */
const locale = process.env.TIMESLICE_LOCALE ?? 'en';
/** Pages of other languages are parts of the English one; the pseudo-language of the tests has a separate page. */
const isPart = locale === 'de';

/** The first page of `npm start`: English alone, there soon; no manual, no service worker, no links to other languages. */
const isFirst = process.env.TIMESLICE_FIRST === '1';

const here = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** The core with own policies, if this build has it; the page loads the file when a lane first needs it. */
function policiesFile() {
  if (process.env.TIMESLICE_POLICIES !== '1') return null;
  const source = readFileSync(here('../.cache/policy-wasm/sim_wasm_bg.wasm'));
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
  return { source, fileName: `assets/policies-${hash}.wasm` };
}

const policies = policiesFile();

/** Puts it beside the page. */
const policiesBeside = () => ({
  name: 'policies-beside-the-page',
  apply: 'build',
  generateBundle() {
    if (policies) this.emitFile({ type: 'asset', ...policies });
  },
});

/** Writes the policy into the page, before everything that it applies to, and the script for a failed start. */
const head = () => ({
  name: 'head-of-the-page',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: policyOf(pagePolicy) },
        injectTo: 'head-prepend',
      },
      { tag: 'script', attrs: { src: './start.js' }, injectTo: 'head-prepend' },
    ],
  },
});

/** The manual, beside the page; any problem in it, including a broken link, ends the build. */
const manual = () => ({
  name: 'manual-beside-the-page',
  apply: 'build',
  async generateBundle() {
    const { manualFiles } = await import('../scripts/lib/manual/site.mjs');
    for (const [place, source] of await manualFiles())
      this.emitFile({ type: 'asset', fileName: `manual/${place}`, source });
  },
});

/** A module and all that it imports at once. */
function withImports(id, build) {
  const found = new Set([id]);
  // A set hands out what is added while it is read.
  for (const one of found)
    for (const next of build.getModuleInfo(one)?.importedIds ?? []) found.add(next);
  return found;
}

/** What a module of the program is part of: all that the first picture needs is one file, so that it comes in one answer. */
function programFile() {
  let inBoot, inProgram;
  return (id, build) => {
    inBoot ??= withImports(here('src/boot.ts'), build);
    inProgram ??= withImports(here('src/main.ts'), build);
    return inProgram.has(id) && !inBoot.has(id) ? 'program' : null;
  };
}

/** The program runs after the language is known; to load it and its style sheet need not wait for that. */
const programAhead = () => ({
  name: 'program-ahead',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle }) => {
      const file = Object.values(bundle).find(({ name }) => name === 'program');
      if (!file) throw new Error('the program is not among the files of the page');
      const looks = [...(file.viteMetadata?.importedCss ?? [])];
      return [
        { rel: 'modulepreload', crossorigin: '', href: `./${file.fileName}` },
        ...looks.map((sheet) => ({ rel: 'stylesheet', href: `./${sheet}` })),
      ].map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' }));
    },
  },
});

/** Everything is stored for use without a network; scripts/lib/precache.mjs checks that. */
const offline = () =>
  VitePWA({
    // A new version waits until the user wants it.
    registerType: 'prompt',
    injectRegister: false,
    manifest: {
      id: './',
      name: 'Timeslice',
      short_name: 'Timeslice',
      description: 'An interactive laboratory of operating-system CPU schedulers',
      start_url: './',
      scope: './',
      display: 'standalone',
      background_color: '#fcfbf9',
      theme_color: '#fcfbf9',
      icons: [
        { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml' },
        { src: 'icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: 'icon-512.png', sizes: '512x512', type: 'image/png' },
        { src: 'icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
    },
    workbox: {
      globPatterns: ['**/*'],
      globIgnores: ['sw.js', 'timeslice*.html', 'reset.*', 'assets/policies-*.wasm'],
      // Few readers need it, so it is kept when it was used for the first time.
      runtimeCaching: policies
        ? [
            {
              urlPattern: /\/assets\/policies-\w+\.wasm$/,
              handler: 'CacheFirst',
              options: { cacheName: 'policies', expiration: { maxEntries: 2 } },
            },
          ]
        : [],
      // The core alone is megabytes; no file may be left out for its size.
      maximumFileSizeToCacheInBytes: 20_000_000,
      inlineWorkboxRuntime: true,
      // It answers only for its own files, as other pages and other versions may be below its folder. The part of an
      // address after a question mark does not matter.
      navigateFallback: null,
      ignoreURLParametersMatching: [/./],
      // workbox would also treat the files of a version in a folder below as outdated.
      cleanupOutdatedCaches: false,
    },
  });

const terms = notices(policies !== null);

export default defineConfig(async ({ command }) => {
  // While the core itself is being changed there is nothing to keep.
  const first = command === 'build' && !process.env.VITEST ? await recordFirstAnswers() : null;
  return config(first);
});

const config = (first) => ({
  root: here('.'),
  publicDir: here('../public'),
  cacheDir: here('../.cache/vite'),
  // Relative, so that the built page works from any folder of any static host.
  base: './',
  plugins: [
    ...languagePlugins(locale),
    svelte(),
    ...(isPart
      ? [remembersEntry(locale)]
      : [
          programAhead(),
          firstAnswersBeside(first),
          policiesBeside(),
          head(),
          terms.inPage(),
          ...(process.env.VITEST || isFirst ? [] : [manual(), offline()]),
        ]),
  ],
  worker: { format: 'es', plugins: () => [terms.inWorkers()] },
  define: {
    __SINGLE_FILE__: 'false',
    __SERVICE_WORKER__: JSON.stringify(!isFirst),
    __LOCALE__: JSON.stringify(locale),
    __POLICIES__: JSON.stringify(policies?.fileName ?? null),
    __FIRST__: JSON.stringify(first?.places ?? null),
    __LANGUAGES__: JSON.stringify(
      locale === 'en' && !process.env.VITEST && !isFirst ? builtLanguages() : {},
    ),
  },
  // Under vitest, components must come from Svelte's browser build, not its server build.
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  server: {
    // The scenarios are imported from beside this folder.
    fs: { allow: [here('..')] },
  },
  build: {
    outDir: process.env.TIMESLICE_OUT ?? here('../dist'),
    // The English page is built last and keeps the files of the others.
    emptyOutDir: locale === 'en-XA',
    rolldownOptions: {
      ...(isPart ? { input: here('src/boot.ts') } : {}),
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: programFile(), debugName: 'program' }],
        },
      },
    },
    copyPublicDir: !isPart,
    target: 'es2022',
    ...(isFirst ? { minify: false } : {}),
    // No data: URLs, so that a strict Content-Security-Policy is possible.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  test: {
    environment: 'happy-dom',
    restoreMocks: true,
    // The tests simulate time; a slow test is a mistake.
    testTimeout: 10_000,
    // Files of tests share a process, with its document, its modules and its compiled core: that takes a third of the
    // time. A file that replaces modules has one of its own.
    pool: 'threads',
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['src/**/*.test.ts'],
          exclude: ['src/**/*.alone.test.ts'],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: ['src/**/*.alone.test.ts'] } },
    ],
  },
});
