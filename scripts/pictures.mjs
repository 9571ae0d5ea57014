// npm run pictures [-- --all]: paints the pictures anew that e2e/pictures.spec.ts compares the page with.
// Only those that differ by more than the test lets pass, and new ones; with --all every one, and what no test asks for any
// more goes. Look at each before it is committed: from then on it is what is right.
import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { main } from './lib/entry.mjs';
import { Failure, heading, note } from './lib/log.mjs';
import { inRoot } from './lib/paths.mjs';
import { endToEnd } from './lib/suites.mjs';
import { setUp } from './setup.mjs';

const folder = inRoot('e2e', 'pictures');

/** Time of change by file name. */
function times() {
  try {
    return new Map(
      readdirSync(folder).map((name) => [name, statSync(path.join(folder, name)).mtimeMs]),
    );
  } catch {
    return new Map();
  }
}

await main(async () => {
  const isAll = process.argv.includes('--all');
  await setUp({ browser: true });
  await build();
  const before = times();
  if (isAll) rmSync(folder, { recursive: true, force: true });
  const { ok } = await endToEnd([
    'pictures.spec.ts',
    `--update-snapshots=${isAll ? 'all' : 'changed'}`,
  ]);
  const painted = [...times()].filter(([name, ms]) => before.get(name) !== ms);
  heading(`${painted.length} pictures painted anew`);
  for (const [name] of painted) note(`e2e/pictures/${name}`);
  if (!ok) throw new Failure('Not all of them could be painted.');
});
