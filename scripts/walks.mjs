// npm run walks [-- N [SEED]]: N random walks (10,000 unless told) of edits, openings, undo and redo, in which undo
// must bring back the document before; and a fifth as many openings right after a change, which must all be kept.
import { main } from './lib/entry.mjs';
import { note } from './lib/log.mjs';
import { mustRun, npmProgram } from './lib/run.mjs';

const WALKS = [
  ['state/documents', 1, 'walks'],
  ['state/kept', 5, 'openings'],
];

await main(async () => {
  const [count = '10000', seed] = process.argv.slice(2);
  for (const [file, part, what] of WALKS) {
    const cases = String(Math.ceil(Number(count) / part));
    const config = ['--config', 'web/vite.config.js'];
    // The other tests of the files shall not fail beside other work.
    const patience = ['--testTimeout', '120000'];
    await mustRun([...npmProgram('vitest'), 'run', ...config, ...patience, file], {
      what,
      env: { TIMESLICE_CASES: cases, ...(seed === undefined ? {} : { TIMESLICE_FUZZ_SEED: seed }) },
    });
    note(`${cases} ${what}`);
  }
});
