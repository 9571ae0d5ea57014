// npm run words: brings the catalogs of the page up to date with its sources and with the core. New texts wait in
// web/src/locales/de.po for their German.
//   node scripts/words.mjs [--check]     --check: changes nothing, and fails where something is not up to date
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { coreWords, coreWordsFile } from '../web/i18n/core-words.mjs';
import { runIfEntry } from './lib/entry.mjs';
import { Failure, note } from './lib/log.mjs';
import { inRoot, wasmPackage } from './lib/paths.mjs';
import { mustRun, npmProgram } from './lib/run.mjs';

const catalogs = ['en', 'de'].map((locale) => inRoot('web', 'src', 'locales', `${locale}.po`));

/** The present texts of the built core and its lessons. */
async function coreText() {
  const core = await import(pathToFileURL(path.join(wasmPackage, 'sim_wasm.js')).href);
  core.initSync({ module: readFileSync(path.join(wasmPackage, 'sim_wasm_bg.wasm')) });
  const lessons = readFileSync(path.join(wasmPackage, 'lessons-en.json'), 'utf8');
  return `${JSON.stringify(coreWords(core.catalog(), lessons), null, 2)}\n`;
}

await runIfEntry(import.meta.url, async (args) => {
  const files = [coreWordsFile, ...catalogs];
  const before = files.map((file) => readFileSync(file, 'utf8'));
  writeFileSync(coreWordsFile, await coreText());
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
