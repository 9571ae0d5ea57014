// Holds source files to a length that can be read in one go, and the pictures of tests to a size.
import { readFileSync, statSync } from 'node:fs';
import { runIfEntry } from './lib/entry.mjs';
import { Failure } from './lib/log.mjs';
import { inRoot } from './lib/paths.mjs';
import { lengthProblem } from './lib/source-length.mjs';
import { filesUnder } from './lib/stamp.mjs';

const kilobyte = 1000;

const sourceFolders = ['sim-core', 'web', 'e2e', 'scripts'];
const isGenerated = (file) => file === 'web/src/sim/pkg' || file === 'web/src/sim/types';

function checkSources() {
  const problems = filesUnder(sourceFolders, isGenerated)
    .map((file) => lengthProblem(file, () => readFileSync(inRoot(file), 'utf8')))
    .filter(Boolean);
  for (const { message, fatal } of problems) {
    if (fatal) console.error(`  ${message}`);
    else console.log(`warning: ${message}`);
  }
  return problems.filter(({ fatal }) => fatal).length;
}

/** Every version of a test's pictures stays in the repository for ever. */
function checkPictures() {
  const pictures = filesUnder(['e2e/pictures']).map((file) => [file, statSync(inRoot(file)).size]);
  const large = pictures.filter(([, size]) => size > 400 * kilobyte);
  for (const [file, size] of large)
    console.error(`  ${file} has ${(size / kilobyte).toFixed(0)} kB (limit 400)`);
  return large.length;
}

await runIfEntry(import.meta.url, () => {
  const problems = checkSources() + checkPictures();
  if (problems > 0) throw new Failure(`${problems} sizes over the limit.`);
});
