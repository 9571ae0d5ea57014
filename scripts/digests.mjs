// Proves that the WebAssembly build computes what the native one does: one digest per lane of every
// shipped scenario, from both, must be equal.
//   node scripts/digests.mjs [--no-build]     --no-build: with the package that is there
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildWasm } from './build-wasm.mjs';
import { compareDigests } from './lib/compare-digests.mjs';
import { runIfEntry } from './lib/entry.mjs';
import { loadWasm } from './lib/load-wasm.mjs';
import { Failure, note } from './lib/log.mjs';
import { timeslice } from './lib/native.mjs';
import { experiments, reports } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

/** The last output of the command line: the Python package is compared with it, too. */
export const nativeReport = path.join(reports, 'digests.json');

async function nativeDigests() {
  const { code, output, stdout } = await run(timeslice('digest', '--json'));
  if (code !== 0) throw new Failure(`${output}\nThe native digests could not be computed.`);
  mkdirSync(reports, { recursive: true });
  writeFileSync(nativeReport, stdout);
  return JSON.parse(stdout);
}

/** Prints every row, and resolves to { passed, failed }. */
export async function checkDigests() {
  const shipped = readdirSync(experiments)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
  const native = await nativeDigests();
  const wasm = JSON.parse((await loadWasm()).digests());
  const { same, problems } = compareDigests(native, wasm, shipped);
  for (const row of same) note(`${row.digest}  ${row.scenario} #${row.lane} ${row.scheduler}`);
  for (const problem of problems) console.error(`  DIFFERENT  ${problem}`);
  if (same.length + problems.length === 0) problems.push('there are no shipped scenarios');
  note(`${same.length} digests equal, ${problems.length} not (${shipped.length} scenarios)`);
  return { passed: same.length, failed: problems.length };
}

await runIfEntry(import.meta.url, async (args) => {
  if (!args.includes('--no-build')) await buildWasm();
  const { passed, failed } = await checkDigests();
  console.log(`\n${passed} passed, ${failed} failed`);
  if (failed > 0) throw new Failure('The native and the WebAssembly build disagree.');
});
