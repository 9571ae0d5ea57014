// The languages of the page: sources are English; catalogs hold their texts and the translations.
import path from 'node:path';
import { defineConfig } from 'wuchale';
import { Transformer } from 'wuchale/adapter-vanilla';
// The package does not export it, and its own adapter does not allow a choice of what to visit.
import { SvelteTransformer } from '../node_modules/@wuchale/svelte/dist/transformer.js';
import { catalogs } from './i18n/storage.js';
import { remembering } from './i18n/texts.js';
import { visitsWords } from './i18n/visits.js';
import { isWords } from './i18n/words.js';
import { TEXTS } from './reasons.js';

const inPlace = { wrapInit: (code) => code, wrapUse: (code) => code };

/** A page has one language while it is open, so its texts are not reactive. */
const runtime = {
  initReactive: ({ funcName }) => (funcName == null ? false : null),
  useReactive: false,
  plain: inPlace,
  reactive: inPlace,
};

const made = (Kind, { content, filename, index, expr, matchUrl }) =>
  visitsWords(new Kind(content, filename, index, isWords, [], expr, runtime, matchUrl));

const component = (file) => made(SvelteTransformer, file).transformSv();

/** A script has its texts from its beginning on, because many are outside of functions. */
function script(file) {
  const transformer = made(Transformer, file);
  const { finalize } = transformer;
  transformer.finalize = (found, start) =>
    finalize(found, start, `const ${transformer.currentRtVar} = ${file.expr.plain};`);
  return transformer.transform();
}

/** What a file of data says: a list of texts, or the reasons of decisions. */
function textsIn(content) {
  const { reasons, ...list } = JSON.parse(content);
  const told = reasons?.flatMap((row) => TEXTS.map((field) => row[field]));
  return (told ?? Object.values(list)).filter(Boolean);
}

/** Texts in JSON: words for decisions, and the core's texts. Another plugin puts them into the page. */
const data = ({ content, filename }) => ({
  msgs: textsIn(content).map((text) => ({
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
    // One catalog for all kinds of files: several could not share catalogs that are loaded in parts.
    page: {
      files: {
        include: [
          'src/**/*.{svelte,ts}',
          '../sim-core/{schedulers,policy}/src/**/reasons.json',
          'i18n/{core-words,core-messages,claim-words}.json',
        ],
        ignore: [
          'src/**/*.d.ts',
          'src/**/*.test.ts',
          'src/**/test-*.ts',
          'src/**/arbitrary.ts',
          'src/**/made-up.ts',
          // Its texts are in JSON files.
          'src/view/schedulers/folder.ts',
          'src/sim/pkg/**',
          // It is there to be copied.
          '../sim-core/schedulers/src/skeleton/**',
          'src/sim/types/**',
        ],
      },
      storage: catalogs('src/locales'),
      transform: (file) => remembering(transforms[path.extname(file.filename)], file),
      runtime,
      // Each file imports its own texts, so that code that is loaded later brings its texts later.
      granularLoad: true,
      bundleLoad: true,
      generateLoadID: (file) => file.replaceAll(/[^a-zA-Z0-9]+/g, '_'),
      defaultLoaderPath: null,
      loaderExts: ['.js'],
    },
  },
});
