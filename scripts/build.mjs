// Builds the page into dist/, and the WebAssembly package before it; skips what is up to date.
//   node scripts/build.mjs [--force]
import { buildSingle } from './build-single.mjs';
import { buildWasm } from './build-wasm.mjs';
import { runIfEntry } from './lib/entry.mjs';
import { pageInputs } from './lib/inputs.mjs';
import { withLock } from './lib/lock.mjs';
import { heading, note } from './lib/log.mjs';
import { dist } from './lib/paths.mjs';
import { checkPrecache } from './lib/precache.mjs';
import { mustRun, npmProgram } from './lib/run.mjs';
import { isFresh, writeStamp } from './lib/stamp.mjs';
import { setUp } from './setup.mjs';

export async function build({ force = false } = {}) {
  const wasm = await buildWasm({ force });
  await withLock('page', async () => {
    const hash = pageInputs(wasm);
    if (!force && isFresh('page', hash, dist)) {
      note('page: up to date');
      return;
    }
    heading('Page build');
    await mustRun([...npmProgram('vite'), 'build', '--config', 'web/vite.config.js'], {
      what: 'The page build',
    });
    checkPrecache(dist);
    // After the check: the one file is offered for download, and not part of the page.
    await buildSingle();
    writeStamp('page', hash, dist);
  });
}

await runIfEntry(import.meta.url, async (args) => {
  await setUp();
  await build({ force: args.includes('--force') });
});
