// The languages of the page: sources are English; catalogs hold what they say, and other languages.
import path from 'node:path';
import { defineConfig, pofile } from 'wuchale';
import { Transformer } from 'wuchale/adapter-vanilla';
// The package does not export it, and its own adapter cannot be told what to visit.
import { SvelteTransformer } from '../node_modules/@wuchale/svelte/dist/transformer.js';
import { remembering } from './i18n/texts.js';
import { visitsWords } from './i18n/visits.js';
import { isWords } from './i18n/words.js';

const inPlace = { wrapInit: (code) => code, wrapUse: (code) => code };

/** A page has one language for as long as it is open, so nothing of it is reactive. */
const runtime = {
  initReactive: ({ funcName }) => (funcName == null ? false : null),
  useReactive: false,
  plain: inPlace,
  reactive: inPlace,
};

const made = (Kind, { content, filename, index, expr, matchUrl }) =>
  visitsWords(new Kind(content, filename, index, isWords, [], expr, runtime, matchUrl));

const component = (file) => made(SvelteTransformer, file).transformSv();

/** A script has its words from its beginning on: many stand outside of functions. */
function script(file) {
  const transformer = made(Transformer, file);
  const { finalize } = transformer;
  transformer.finalize = (found, start) =>
    finalize(found, start, `const ${transformer.currentRtVar} = ${file.expr.plain};`);
  return transformer.transform();
}

/** Texts in JSON: what is said about decisions, and what the core says. Another plugin puts them into the page. */
const data = ({ content, filename }) => ({
  msgs: Object.values(JSON.parse(content)).map((text) => ({
    msgStr: [text],
    plural: false,
    placeholders: [],
    type: 'message',
    details: { file: filename, scope: 'script', insideProgram: true },
  })),
  output: () => ({}),
});

const transforms = { '.svelte': component, '.ts': script, '.json': data };

export default defineConfig({
  locales: ['en', 'de'],
  adapters: {
    // One for all kinds of files: catalogs that are loaded in parts cannot be shared by several.
    page: {
      files: {
        include: [
          'src/**/*.{svelte,ts}',
          'src/view/schedulers/*/{words,rules,deviations}.json',
          'i18n/{core-words,core-messages,claim-words}.json',
        ],
        ignore: [
          'src/**/*.d.ts',
          'src/**/*.test.ts',
          'src/**/test-*.ts',
          'src/**/arbitrary.ts',
          'src/**/made-up.ts',
          // Its words are those of JSON files.
          'src/view/schedulers/folder.ts',
          'src/sim/pkg/**',
          'src/sim/types/**',
        ],
      },
      storage: pofile(),
      transform: (file) => remembering(transforms[path.extname(file.filename)], file),
      runtime,
      // Each file imports the words of its own, so that what loads later brings its words later.
      granularLoad: true,
      bundleLoad: true,
      generateLoadID: (file) => file.replaceAll(/[^a-zA-Z0-9]+/g, '_'),
      defaultLoaderPath: null,
      loaderExts: ['.js'],
    },
  },
});
