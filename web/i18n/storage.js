// The catalogs as files: `src/locales/LANGUAGE.po` for each language but English, whose texts are the keys. A catalog holds
// texts and translations in alphabetical order, and nothing of the sources that have them: so it changes with a text, and
// not when a file or a name in the code does.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import PO from 'pofile';
import { keyOf } from './texts.js';

const order = (a, b) => (a.key < b.key ? -1 : 1);

/** Whether all sources are being read (`npm run words`): only then are catalogs written. And what they lack then. */
export const extraction = { isOn: false, waiting: [] };

/** The entries of a catalog as a text. */
function written(entries, language) {
  const po = new PO();
  po.headers = {
    'Source-Language': 'en',
    Language: language,
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
  };
  po.items = entries.toSorted(order).map(({ english, context, translation }) => {
    const item = new PO.Item();
    item.msgid = english;
    if (context) item.msgctxt = context;
    item.msgstr = [translation];
    return item;
  });
  return `${po.toString().trimEnd()}\n`;
}

/** A storage for wuchale in a folder. */
export const catalogs =
  (folder) =>
  ({ locales, root, sourceLocale }) => {
    const others = locales.filter((locale) => locale !== sourceLocale);
    const fileOf = (locale) => path.resolve(root, folder, `${locale}.po`);
    return {
      key: path.resolve(root, folder),
      files: others.map(fileOf),
      load() {
        const items = new Map();
        for (const locale of others)
          for (const { msgid, msgctxt, msgstr } of existsSync(fileOf(locale))
            ? PO.parse(readFileSync(fileOf(locale), 'utf8')).items
            : []) {
            const key = keyOf(msgid, msgctxt);
            const item = items.get(key) ?? {
              context: msgctxt,
              translations: new Map([[sourceLocale, [msgid]]]),
              references: [],
              urlAdapters: [],
            };
            item.translations.set(locale, msgstr[0] ? [msgstr[0]] : []);
            items.set(key, item);
          }
        return { items: [...items.values()] };
      },
      save({ items }) {
        if (!extraction.isOn) return;
        // What no source has any more is left out.
        const used = [...items].filter(({ references }) => references.length > 0);
        const all = others.flatMap((locale) =>
          used.map(({ context, references, translations }) => {
            const [english] = translations.get(sourceLocale);
            const [translation = ''] = translations.get(locale) ?? [];
            const files = references.map(({ file }) => file);
            return { locale, key: keyOf(english, context), english, context, translation, files };
          }),
        );
        for (const locale of others) {
          const entries = all.filter((one) => one.locale === locale);
          writeFileSync(fileOf(locale), written(entries, locale));
        }
        extraction.waiting = all.filter(({ translation }) => translation.trim() === '');
      },
    };
  };
