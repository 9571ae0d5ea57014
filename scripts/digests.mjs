// Proves that the WebAssembly build computes what the native one does: one digest per lane of every
// shipped scenario, and one of the run of every fact about a kernel, from both, must be equal.
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
import { facts } from './lib/suites.mjs';

/** The last output of the command line: the Python package is compared with it, too. */
export const nativeReport = path.join(reports, 'digests.json');

async function nativeDigests() {
  const { code, output, stdout } = await run(timeslice('digest', '--json'));
  if (code !== 0) throw new Failure(`${output}\nThe native digests could not be computed.`);
  mkdirSync(reports, { recursive: true });
  writeFileSync(nativeReport, stdout);
  return JSON.parse(stdout);
}

/** Events of a run between two looks at whether it is over. */
const EVENTS = 2 ** 31;

/** The same runs in WebAssembly, without their texts. */
function inWasm({ Plan }, runs) {
  return runs.map(({ text, ...row }) => {
    const plan = new Plan(text);
    const lane = plan.lane(row.lane);
    try {
      while (!lane.is_finished()) lane.advance(lane.end_ns(), EVENTS);
      return { ...row, digest: lane.digest() };
    } finally {
      lane.free();
      plan.free();
    }
  });
}

/** Facts hold natively, as tests say. Where digests are equal they hold in WebAssembly. */
async function factProblems(wasm) {
  const native = await facts();
  const { same, problems } = compareDigests(native, inWasm(wasm, native), []);
  note(`${same.length} facts have equal digests, ${problems.length} have not`);
  return { same, problems };
}

/** Prints every row, and resolves to { passed, failed }. */
export async function checkDigests() {
  const shipped = readdirSync(experiments)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
  const native = await nativeDigests();
  const wasm = await loadWasm();
  const { same, problems } = compareDigests(native, JSON.parse(wasm.digests()), shipped);
  for (const row of same) note(`${row.digest}  ${row.scenario} #${row.lane} ${row.scheduler}`);
  const more = await factProblems(wasm);
  problems.push(...more.problems);
  for (const problem of problems) console.error(`  DIFFERENT  ${problem}`);
  if (same.length + problems.length === 0) problems.push('there are no shipped scenarios');
  note(
    `${same.length} digests of ${shipped.length} scenarios are equal, ${problems.length} of all are not`,
  );
  return { passed: same.length + more.same.length, failed: problems.length };
}

await runIfEntry(import.meta.url, async (args) => {
  if (!args.includes('--no-build')) await buildWasm();
  const { passed, failed } = await checkDigests();
  console.log(`\n${passed} passed, ${failed} failed`);
  if (failed > 0) throw new Failure('The native and the WebAssembly build disagree.');
});
