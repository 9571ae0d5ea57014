// Builds the page into dist/, and the WebAssembly package before it; skips what is up to date. For `npm start` there is
// a first page, in English alone, which is there much sooner.
//   node scripts/build.mjs [--force] [--policies]    with --policies, or TIMESLICE_POLICIES=1, own policies are in it
import { rmSync } from 'node:fs';
import { LANGUAGES, PSEUDO } from '../web/i18n/languages.js';
import { buildSingle } from './build-single.mjs';
import { buildPolicyWasm, buildWasm, compileAhead, isWasmStale, planWasm } from './build-wasm.mjs';
import { runIfEntry } from './lib/entry.mjs';
import { pageInputs, wasmInputs } from './lib/inputs.mjs';
import { withLock } from './lib/lock.mjs';
import { heading, note } from './lib/log.mjs';
import { checkWorkerNotices } from './lib/notices.mjs';
import { dist, firstPage, pseudoPage } from './lib/paths.mjs';
import { checkPrecache } from './lib/precache.mjs';
import { mustRun, npmProgram } from './lib/run.mjs';
import { isFresh, writeStamp } from './lib/stamp.mjs';
import { waiting, whileWaiting } from './lib/waiting.mjs';
import { setUp } from './setup.mjs';

const BUILD_FIRST = { what: 'the English page', seconds: 15, stage: 3 };
const BUILD_PAGE = { what: 'the page build', seconds: 60, stage: 3 };

/** Builds the page in a language. */
const buildPage = (locale, out = dist, env = {}) =>
  mustRun([...npmProgram('vite'), 'build', '--config', 'web/vite.config.js'], {
    what: `The page build (${locale})`,
    env: { TIMESLICE_LOCALE: locale, TIMESLICE_OUT: out, ...env },
  });

/** Whether the page is to have own policies, unless a caller says so: their package takes minutes to compile. */
const areAsked = () => process.env.TIMESLICE_POLICIES === '1';

const hashOf = (inputs, policies) => (policies ? `policies ${inputs}` : inputs);

/** Whether dist/ is the page with those inputs. One with own policies serves as well where nobody asks for them. */
const isBuilt = (inputs, policies) =>
  (policies ? [true] : [true, false]).some((own) => isFresh('page', hashOf(inputs, own), dist));

/** Whether dist/ is the page of the present sources. */
export const isPageBuilt = ({ policies = false } = {}) =>
  isBuilt(pageInputs(wasmInputs()), policies);

/** Announces the duration of the first page, before set-up begins. */
export function planFirst() {
  if (isPageBuilt()) return;
  if (isWasmStale('first')) planWasm();
  waiting.plan(BUILD_FIRST.what, BUILD_FIRST.seconds, BUILD_FIRST.stage);
}

/** Builds the page in English alone: no manual, no file to keep, nothing made small. Resolves to its folder. */
export async function buildFirst() {
  const hash = pageInputs(await buildWasm({ quality: 'first' }));
  await withLock('first', async () => {
    if (isFresh('first', hash, firstPage)) {
      waiting.end(BUILD_FIRST.what);
      return;
    }
    heading('English page');
    rmSync(firstPage, { recursive: true, force: true });
    await whileWaiting(BUILD_FIRST.what, BUILD_FIRST.seconds, () =>
      buildPage('en', firstPage, { TIMESLICE_FIRST: '1', TIMESLICE_POLICIES: '' }),
    );
    writeStamp('first', hash, firstPage);
  });
  return firstPage;
}

export async function build({ force = false, policies = areAsked() } = {}) {
  const wasm = await buildWasm({ force });
  if (policies) await buildPolicyWasm();
  const env = { TIMESLICE_POLICIES: policies ? '1' : '' };
  await withLock('page', async () => {
    const hash = pageInputs(wasm);
    if (!force && isBuilt(hash, policies)) {
      note('page: up to date');
      return;
    }
    heading('Page build');
    await whileWaiting(BUILD_PAGE.what, BUILD_PAGE.seconds, async () => {
      rmSync(dist, { recursive: true, force: true });
      // The English page comes last: it knows where the others begin, and stores all of them for use without a
      // network.
      for (const locale of [...Object.keys(LANGUAGES), 'en']) await buildPage(locale, dist, env);
      checkPrecache(dist);
      checkWorkerNotices(dist);
      // After the check: the single file is offered for download and is not part of the page.
      await buildSingle();
    });
    writeStamp('page', hashOf(hash, policies), dist);
  });
}

/** Builds the page in the pseudo-language for the tests that walk through it. The core is already built. */
export const buildPseudo = () =>
  withLock('pseudo', async () => {
    const hash = pageInputs(wasmInputs());
    if (isFresh('pseudo', hash, pseudoPage)) return;
    heading('Page in the pseudo-language');
    await whileWaiting(BUILD_PAGE.what, BUILD_PAGE.seconds, () => buildPage(PSEUDO, pseudoPage));
    writeStamp('pseudo', hash, pseudoPage);
  });

await runIfEntry(import.meta.url, async (args) => {
  await setUp({ beside: compileAhead });
  await build({
    force: args.includes('--force'),
    ...(args.includes('--policies') && { policies: true }),
  });
});
