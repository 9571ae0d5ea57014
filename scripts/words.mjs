// npm run words: brings the catalogs of the page up to date with its sources and with the core. New texts wait in
// web/src/locales/de.po for their German.
//   node scripts/words.mjs [--check]     --check: changes nothing, and fails where something is not up to date
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { claimWords, claimWordsFile } from '../web/i18n/claim-words.mjs';
import { coreMessages, coreMessagesFile } from '../web/i18n/core-messages.mjs';
import { coreWords, coreWordsFile } from '../web/i18n/core-words.mjs';
import { runIfEntry } from './lib/entry.mjs';
import { Failure, note } from './lib/log.mjs';
import { inRoot, wasmPackage } from './lib/paths.mjs';
import { mustRun, npmProgram } from './lib/run.mjs';

const catalogs = ['en', 'de'].map((locale) => inRoot('web', 'src', 'locales', `${locale}.po`));

const packageFile = (name) => readFileSync(path.join(wasmPackage, name));

/** A package of the core, ready for use. */
async function packageOf(name) {
  const built = await import(pathToFileURL(path.join(wasmPackage, `${name}.js`)).href);
  built.initSync({ module: packageFile(`${name}_bg.wasm`) });
  return built;
}

/** The present texts of the built core and its lessons. */
async function coreText() {
  const core = await packageOf('sim_wasm');
  return coreWords(core.catalog(), packageFile('lessons-en.json').toString());
}

/** The built judge's present texts of claims and figures. */
async function claimText() {
  const { Judge, provideClaims } = await packageOf('claims_wasm');
  provideClaims(packageFile('claims.json').toString());
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
