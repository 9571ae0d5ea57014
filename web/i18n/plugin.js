// Builds the page in another language than that of its sources. English does not need this.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import PO from 'pofile';
import { compileTranslation } from 'wuchale/compiler';
import { wuchale } from 'wuchale/vite';
import { knownClaimWords } from './claim-words.mjs';
import { knownCoreMessages } from './core-messages.mjs';
import { knownCoreWords } from './core-words.mjs';
import { LANGUAGES, PSEUDO } from './languages.js';
import { pseudo, pseudoItem } from './pseudo.js';
import { reasonModules } from '../reasons.js';
import { keyOf, texts } from './texts.js';

const here = (file) => fileURLToPath(new URL(file, import.meta.url));

/** Translations of a catalog by English text and context; without missing ones. */
export function catalogOf(locale) {
  const { items } = PO.parse(readFileSync(here(`../src/locales/${locale}.po`), 'utf8'));
  return new Map(
    items
      .filter(({ msgstr, obsolete }) => msgstr[0] && !obsolete)
      .map(({ msgid, msgctxt, msgstr }) => [keyOf(msgid, msgctxt), msgstr[0]]),
  );
}

/** Plugins for words in data, and for those of each file of the page, in a language. */
function words(locale) {
  const catalog = locale === PSEUDO ? new Map() : catalogOf(locale);
  const say = locale === PSEUDO ? pseudo : (text) => catalog.get(text.trim()) ?? text;
  const core = knownCoreWords();
  const tables = { core, messages: knownCoreMessages(), claims: knownClaimWords() };
  // Lessons have their own files in each language except this one.
  if (locale === PSEUDO)
    for (const { title, situation } of JSON.parse(
      readFileSync(here('../src/sim/pkg/lessons-en.json'), 'utf8'),
    ))
      core.push(title, situation);
  /** An element of a compiled catalog. */
  const compiled = ({ key, english }) => {
    const item = compileTranslation(catalog.get(key) ?? english, english);
    return locale === PSEUDO ? pseudoItem(item) : item;
  };
  const page = {
    name: 'words-of-the-page',
    enforce: 'pre',
    resolveId: {
      order: 'pre',
      filter: { id: /\.compiled\.js$/ },
      handler: (id) => `\0${path.basename(id)}`,
    },
    load: {
      filter: { id: /(\.compiled\.js|\/locales\/\w+-table\.ts)$/ },
      handler(id) {
        const table = /\/(\w+)-table\.ts$/.exec(id)?.[1];
        if (table)
          return `export const TABLE = ${JSON.stringify(Object.fromEntries(tables[table].map((text) => [text, say(text)])))};`;
        const [, file, of] = /^\0page\.(\w+)\.([\w-]+)\.compiled\.js$/.exec(id);
        // Both languages are imported, and one of them is used.
        const list = of === (locale === PSEUDO ? 'en' : locale) ? (texts.get(file) ?? []) : [];
        return `export const c = ${JSON.stringify([...list].map((text) => (text ? compiled(text) : '')))};`;
      },
    },
  };
  return [reasonModules(say), page];
}

/** Plugins that bring the words of a language; those of the sources are English. */
export const languagePlugins = (locale) =>
  locale === 'en'
    ? [reasonModules((text) => text)]
    : [...words(locale), wuchale({ configPath: 'web/wuchale.config.js' })];

const listFile = (locale) => here(`../../.cache/languages/${locale}.json`);

/** Records the entry of a language's page, for the English page, which links to it. */
export const remembersEntry = (locale) => ({
  name: 'entry-of-the-language',
  writeBundle(_, bundle) {
    const entry = Object.values(bundle).find((one) => one.type === 'chunk' && one.isEntry);
    mkdirSync(path.dirname(listFile(locale)), { recursive: true });
    writeFileSync(listFile(locale), JSON.stringify(path.basename(entry.fileName)));
  },
});

/** The entries of the pages in other languages that have been built; empty in development. */
export const builtLanguages = () =>
  Object.fromEntries(
    Object.keys(LANGUAGES)
      .filter((locale) => existsSync(listFile(locale)))
      .map((locale) => [locale, JSON.parse(readFileSync(listFile(locale), 'utf8'))]),
  );
