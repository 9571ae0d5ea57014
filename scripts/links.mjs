// npm run links [-- N]: writes, damages and reads N random links (100,000 unless told), which is more
// than the unit tests have time for.
import { main } from './lib/entry.mjs';
import { mustRun, npmProgram } from './lib/run.mjs';

await main(async () => {
  const [count = '100000'] = process.argv.slice(2);
  await mustRun([...npmProgram('vitest'), 'run', '--config', 'web/vite.config.js', 'link/link'], {
    what: 'A link',
    env: { TIMESLICE_CASES: count },
  });
});
