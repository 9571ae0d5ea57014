// Writes docs/claims.md from the claims as they stand.
//   node scripts/claims.mjs [--check]     --check only compares, and fails on a difference
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { runIfEntry } from './lib/entry.mjs';
import { Failure, note } from './lib/log.mjs';
import { inRoot } from './lib/paths.mjs';
import { cargoLocked, run } from './lib/run.mjs';

const file = inRoot('docs', 'claims.md');

await runIfEntry(import.meta.url, async (args) => {
  // A claim that fails is a result to write down, so the exit code does not matter here.
  const { stdout } = await run(
    [
      ...['cargo', 'run', '--quiet', '--profile', 'ci', ...cargoLocked(), '-p', 'timeslice'],
      ...['--', 'claims', '--markdown'],
    ],
    { quiet: true },
  );
  const text = stdout.slice(stdout.indexOf('# '));
  if (!text.startsWith('# ')) throw new Failure('timeslice claims printed no table.');
  if (!args.includes('--check')) {
    writeFileSync(file, text);
    note('docs/claims.md written');
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    throw new Failure('docs/claims.md does not say what the claims give now. Type: npm run claims');
  } else {
    note('docs/claims.md is up to date');
  }
});
