// Writes what the claims give: docs/claims.md for people, scenarios/verdicts.json for the page.
//   node scripts/claims.mjs [--check]     --check only compares, and fails on a difference
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { runIfEntry } from './lib/entry.mjs';
import { markdown, verdicts } from './lib/claims-text.mjs';
import { Failure, note } from './lib/log.mjs';
import { inRoot } from './lib/paths.mjs';
import { cargoLocked, run } from './lib/run.mjs';

await runIfEntry(import.meta.url, async (args) => {
  // A claim that fails is a result to write down, so the exit code does not matter here.
  const { stdout } = await run(
    [
      ...['cargo', 'run', '--quiet', '--profile', 'ci', ...cargoLocked(), '-p', 'timeslice'],
      ...['--', 'claims', '--json'],
    ],
    { quiet: true },
  );
  const start = stdout.indexOf('[\n');
  if (start < 0) throw new Failure('timeslice claims printed no list.');
  const claims = JSON.parse(stdout.slice(start));
  const files = [
    [inRoot('docs', 'claims.md'), markdown(claims)],
    [inRoot('scenarios', 'verdicts.json'), verdicts(claims)],
  ];
  for (const [file, text] of files) {
    if (!args.includes('--check')) writeFileSync(file, text);
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      throw new Failure(`${file} does not say what the claims give now. Type: npm run claims`);
    }
  }
  note(
    `docs/claims.md and scenarios/verdicts.json ${args.includes('--check') ? 'are up to date' : 'written'}`,
  );
});
