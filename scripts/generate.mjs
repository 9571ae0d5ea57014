// Writes what is derived from the Rust types: scenarios/schema.json and web/src/sim/types/*.ts.
//   node scripts/generate.mjs [--check]     --check only compares, and fails on a difference
import { runIfEntry } from './lib/entry.mjs';
import { Failure, note } from './lib/log.mjs';
import { cargoLocked, run } from './lib/run.mjs';

export async function generate({ check }) {
  const { code } = await run(
    [
      ...['cargo', 'test', '--quiet', '--profile', 'generate', ...cargoLocked()],
      ...['-p', 'sim-core', '--features', 'schema', '--test', 'generate'],
    ],
    { show: true, env: check ? {} : { TIMESLICE_GENERATE: '1' } },
  );
  if (code !== 0) {
    throw new Failure(
      check
        ? 'The generated files do not fit the Rust types. Type: npm run generate'
        : 'The generated files could not be written.',
    );
  }
  note(check ? 'generated files are up to date' : 'generated files written');
}

await runIfEntry(import.meta.url, (args) => generate({ check: args.includes('--check') }));
