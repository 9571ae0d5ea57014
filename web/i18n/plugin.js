// Builds the page in another language than that of its sources. English needs none of this.
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
import { keyOf, texts } from './texts.js';

const here = (file) => fileURLToPath(new URL(file, import.meta.url));

/** Texts of a catalog by the English ones and their contexts; without those that nobody has translated. */
export function catalogOf(locale) {
  const { items } = PO.parse(readFileSync(here(`../src/locales/${locale}.po`), 'utf8'));
  return new Map(
    items
      .filter(({ msgstr, obsolete }) => msgstr[0] && !obsolete)
      .map(({ msgid, msgctxt, msgstr }) => [keyOf(msgid, msgctxt), msgstr[0]]),
  );
}

/** Words that are data, and those of each file of the page, in a language. */
function words(locale) {
  const catalog = locale === PSEUDO ? new Map() : catalogOf(locale);
  const say = locale === PSEUDO ? pseudo : (text) => catalog.get(text.trim()) ?? text;
  const core = knownCoreWords();
  const tables = { core, messages: knownCoreMessages(), claims: knownClaimWords() };
  // Lessons have files of their own in each language but this one.
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
  return {
    name: 'words-of-the-page',
    enforce: 'pre',
    transform: {
      order: 'pre',
      filter: { id: /\/schedulers\/[^/]+\/(words|rules|deviations)\.json$/ },
      handler: (code) =>
        JSON.stringify(
          Object.fromEntries(Object.entries(JSON.parse(code)).map(([id, text]) => [id, say(text)])),
        ),
    },
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
        // Both languages are asked for, and one of them is read.
        const list = of === (locale === PSEUDO ? 'en' : locale) ? (texts.get(file) ?? []) : [];
        return `export const c = ${JSON.stringify([...list].map((text) => (text ? compiled(text) : '')))};`;
      },
    },
  };
}

/** What turns the sources into a language; nothing for English. */
export const languagePlugins = (locale) =>
  locale === 'en' ? [] : [words(locale), wuchale({ configPath: 'web/wuchale.config.js' })];

const listFile = (locale) => here(`../../.cache/languages/${locale}.json`);

/** Remembers where the page in a language begins, for the English page, which leads there. */
export const remembersEntry = (locale) => ({
  name: 'entry-of-the-language',
  writeBundle(_, bundle) {
    const entry = Object.values(bundle).find((one) => one.type === 'chunk' && one.isEntry);
    mkdirSync(path.dirname(listFile(locale)), { recursive: true });
    writeFileSync(listFile(locale), JSON.stringify(path.basename(entry.fileName)));
  },
});

/** Where the page begins in each other language that has been built; empty while developing. */
export const builtLanguages = () =>
  Object.fromEntries(
    Object.keys(LANGUAGES)
      .filter((locale) => existsSync(listFile(locale)))
      .map((locale) => [locale, JSON.parse(readFileSync(listFile(locale), 'utf8'))]),
  );
