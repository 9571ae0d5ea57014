// npm run words: brings the catalogs of the page up to date with its sources and with the core, and lists the texts that
// wait for a translation. Until they have one, pages in that language show them in English.
//   node scripts/words.mjs [--check] [--whole]
//     --check: changes nothing, and fails where something is not up to date
//     --whole: fails where a text waits for its translation, as before a release
import { readFileSync, writeFileSync } from 'node:fs';
import { getConfig, Hub } from 'wuchale';
import { claimWords, claimWordsFile } from '../web/i18n/claim-words.mjs';
import { coreMessages, coreMessagesFile } from '../web/i18n/core-messages.mjs';
import { coreWords, coreWordsFile } from '../web/i18n/core-words.mjs';
import { LANGUAGES } from '../web/i18n/languages.js';
import { extraction } from '../web/i18n/storage.js';
import { runIfEntry } from './lib/entry.mjs';
import { loadWasm } from './lib/load-wasm.mjs';
import { Failure, note } from './lib/log.mjs';
import { inRoot } from './lib/paths.mjs';

const catalogs = Object.keys(LANGUAGES).map((locale) =>
  inRoot('web', 'src', 'locales', `${locale}.po`),
);

/** The present texts of the built core and its lessons. */
async function coreText() {
  const core = await loadWasm();
  return coreWords(core.catalog(), core.lessons('en'));
}

/** The built judge's present texts of claims and figures. */
async function claimText() {
  const { Judge } = await loadWasm();
  const { claims } = JSON.parse(readFileSync(inRoot('scenarios', 'verdicts.json'), 'utf8'));
  return claimWords(new Judge(1, 1), claims);
}

/** Files of words, and the functions that give their present content. */
const lists = [
  [coreWordsFile, coreText],
  [coreMessagesFile, coreMessages],
  [claimWordsFile, claimText],
];

/** Most texts that are listed one by one. */
const MOST = 40;

/** Says which texts have no translation, and where they are. */
function listWaiting(waiting) {
  for (const { locale, english, files } of waiting.slice(0, MOST))
    note(`${locale} lacks ${JSON.stringify(english)} (${files.join(', ')})`);
  if (waiting.length > MOST) note(`and ${waiting.length - MOST} more`);
}

await runIfEntry(import.meta.url, async (args) => {
  const files = [...lists.map(([file]) => file), ...catalogs];
  const before = files.map((file) => readFileSync(file, 'utf8'));
  for (const [file, now] of lists) writeFileSync(file, `${JSON.stringify(await now(), null, 2)}\n`);
  extraction.isOn = true;
  const config = await getConfig(inRoot('web', 'wuchale.config.js'));
  const hub = await Hub.create('cli', () => ({ ...config, logLevel: 'error' }), inRoot('web'));
  await hub.directVisit(true, false, false);
  const stale = files.filter((file, i) => readFileSync(file, 'utf8') !== before[i]);
  listWaiting(extraction.waiting);
  if (args.includes('--check')) files.forEach((file, i) => writeFileSync(file, before[i]));
  else note(`${stale.length} of ${files.length} lists of words have changed`);
  if (args.includes('--check') && stale.length > 0)
    throw new Failure('The catalogs of the page are not up to date: npm run words.');
  if (args.includes('--whole') && extraction.waiting.length > 0)
    throw new Failure(`${extraction.waiting.length} texts wait for their translation.`);
});
