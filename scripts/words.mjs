// npm run words: brings the catalogs of the page up to date with its sources and with the core. New texts wait in
// web/src/locales/de.po for their German.
//   node scripts/words.mjs [--check]     --check: changes nothing, and fails where something is not up to date
import { readFileSync, writeFileSync } from 'node:fs';
import { claimWords, claimWordsFile } from '../web/i18n/claim-words.mjs';
import { coreMessages, coreMessagesFile } from '../web/i18n/core-messages.mjs';
import { coreWords, coreWordsFile } from '../web/i18n/core-words.mjs';
import { runIfEntry } from './lib/entry.mjs';
import { loadWasm } from './lib/load-wasm.mjs';
import { Failure, note } from './lib/log.mjs';
import { inRoot } from './lib/paths.mjs';
import { mustRun, npmProgram } from './lib/run.mjs';

const catalogs = ['en', 'de'].map((locale) => inRoot('web', 'src', 'locales', `${locale}.po`));

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

await runIfEntry(import.meta.url, async (args) => {
  const files = [...lists.map(([file]) => file), ...catalogs];
  const before = files.map((file) => readFileSync(file, 'utf8'));
  for (const [file, now] of lists) writeFileSync(file, `${JSON.stringify(await now(), null, 2)}\n`);
  await mustRun(
    [
      ...npmProgram('wuchale'),
      ...['--config', 'web/wuchale.config.js', '--log-level', 'error', '--clean'],
    ],
    { what: 'The extraction of words' },
  );
  const stale = files.filter((file, i) => readFileSync(file, 'utf8') !== before[i]);
  if (!args.includes('--check')) {
    note(`${stale.length} of ${files.length} lists of words have changed`);
    return;
  }
  files.forEach((file, i) => writeFileSync(file, before[i]));
  if (stale.length > 0)
    throw new Failure('The catalogs of the page are not up to date: npm run words.');
});
