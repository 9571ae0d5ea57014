// Builds the page into dist/, and the WebAssembly package before it; skips what is up to date.
//   node scripts/build.mjs [--force]
import { rmSync } from 'node:fs';
import { LANGUAGES, PSEUDO } from '../web/i18n/languages.js';
import { buildSingle } from './build-single.mjs';
import { BUILD_WASM, buildWasm } from './build-wasm.mjs';
import { runIfEntry } from './lib/entry.mjs';
import { pageInputs, wasmInputs } from './lib/inputs.mjs';
import { withLock } from './lib/lock.mjs';
import { heading, note } from './lib/log.mjs';
import { checkWorkerNotices } from './lib/notices.mjs';
import { dist, pseudoPage, wasmPackage } from './lib/paths.mjs';
import { checkPrecache } from './lib/precache.mjs';
import { mustRun, npmProgram } from './lib/run.mjs';
import { isFresh, writeStamp } from './lib/stamp.mjs';
import { waiting, whileWaiting } from './lib/waiting.mjs';
import { setUp } from './setup.mjs';

const BUILD_PAGE = { what: 'the page build', seconds: 40, stage: 3 };

/** Builds the page in a language. */
const buildPage = (locale, out = dist) =>
  mustRun([...npmProgram('vite'), 'build', '--config', 'web/vite.config.js'], {
    what: `The page build (${locale})`,
    env: { TIMESLICE_LOCALE: locale, TIMESLICE_OUT: out },
  });

/** Announces the duration of a build, before set-up begins. */
export function planBuild() {
  const wasm = wasmInputs();
  const isBuilt = isFresh('wasm', wasm, wasmPackage);
  if (isBuilt && isFresh('page', pageInputs(wasm), dist)) return;
  for (const { what, seconds, stage } of isBuilt ? [BUILD_PAGE] : [BUILD_WASM, BUILD_PAGE]) {
    waiting.plan(what, seconds, stage);
  }
}

export async function build({ force = false } = {}) {
  const wasm = await buildWasm({ force });
  await withLock('page', async () => {
    const hash = pageInputs(wasm);
    if (!force && isFresh('page', hash, dist)) {
      note('page: up to date');
      return;
    }
    heading('Page build');
    await whileWaiting(BUILD_PAGE.what, BUILD_PAGE.seconds, async () => {
      rmSync(dist, { recursive: true, force: true });
      // The English page comes last: it knows where the others begin, and stores all of them for use without a
      // network.
      for (const locale of [...Object.keys(LANGUAGES), 'en']) await buildPage(locale);
      checkPrecache(dist);
      checkWorkerNotices(dist);
      // After the check: the single file is offered for download and is not part of the page.
      await buildSingle();
    });
    writeStamp('page', hash, dist);
  });
}

/** Builds the page in the pseudo-language for the tests that walk through it. The core is already built. */
export const buildPseudo = () =>
  withLock('pseudo', async () => {
    const hash = pageInputs(wasmInputs());
    if (isFresh('pseudo', hash, pseudoPage)) return;
    heading('Page in the made language');
    await whileWaiting(BUILD_PAGE.what, BUILD_PAGE.seconds, () => buildPage(PSEUDO, pseudoPage));
    writeStamp('pseudo', hash, pseudoPage);
  });

await runIfEntry(import.meta.url, async (args) => {
  await setUp();
  await build({ force: args.includes('--force') });
});
