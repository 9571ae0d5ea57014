// npm test: everything that proves that Timeslice works, on a fresh clone too. Stops at the first
// suite that fails. The last line is always `N passed, N failed`.
import { nativeReport } from './digests.mjs';
import { complain, duration, heading, Failure } from './lib/log.mjs';
import { run } from './lib/run.mjs';
import { askForPython } from './lib/setup-python.mjs';
import * as suites from './lib/suites.mjs';
import { Tally } from './lib/tally.mjs';
import { setUp } from './setup.mjs';

const tally = new Tally();

/** Work beside the Rust tests: both mostly use one thread. It is reported when its turn comes. */
let beside;
async function buildAndTestPage() {
  const built = await run([process.execPath, 'scripts/build.mjs']);
  return { built, units: built.code === 0 ? await suites.webUnits({ show: false }) : null };
}

async function tellBuild() {
  const { built } = await beside;
  console.log(built.output.trimEnd());
  if (built.code !== 0) throw new Failure('The page could not be built.');
}

async function tellUnits() {
  const { units } = await beside;
  console.log(units.output.trimEnd());
  return units;
}

/** Also beside them, as it waits for the network. */
let pythonSetUp;
function startPythonSetUp() {
  pythonSetUp = run([process.execPath, 'scripts/python.mjs', '--set-up']);
}

/** Messages of set-up, then the tests; the digests have just been computed. */
async function python() {
  console.log((await pythonSetUp).output.trimEnd());
  return suites.python({ digests: nativeReport });
}

/** Name, and work that resolves to counts, or to nothing for a step without tests. */
const steps = [
  ['Set-up', () => setUp({ browser: true, titled: false }).then(askForPython)],
  ['Tooling tests', () => suites.tooling()],
  ['Rust tests', () => ((beside = buildAndTestPage()), startPythonSetUp(), suites.rust())],
  ['WebAssembly and page build', tellBuild],
  ['Web unit tests', tellUnits],
  ['Claims', () => suites.claims()],
  ['Digests, native = WebAssembly', () => suites.digests()],
  ['Python package', python],
  ['Gallery = command line', () => suites.gallery()],
  ['README and manual', () => suites.manual()],
  ['End-to-end tests', () => suites.endToEnd()],
];

/** Runs one step; returns whether to go on. */
async function runStep(name, work) {
  heading(name);
  const begin = Date.now();
  let result;
  try {
    result = (await work()) ?? { ok: true };
  } catch (error) {
    complain(error instanceof Failure ? error.message : error);
    result = { ok: false };
  }
  const ok = result.ok && !result.failed;
  // A suite without tests has proved nothing.
  const empty = ok && result.passed === 0;
  if (empty) complain(`${name}: no test was found`);
  const milliseconds = Date.now() - begin;
  console.log(`${name}: ${ok && !empty ? 'ok' : 'FAILED'} after ${duration(milliseconds)}`);
  // Steps that only build are in the sum only if they fail.
  if ('passed' in result || !ok) tally.add(name, { ...result, ok: ok && !empty, milliseconds });
  return ok && !empty;
}

let next = 0;
while (next < steps.length && (await runStep(...steps[next]))) next += 1;
const notRun = steps.slice(next + 1).map(([name]) => name);
// Unfinished work must not print over the summary.
await Promise.all([beside, pythonSetUp]);
tally.print(notRun);
process.exitCode = tally.failed > 0 ? 1 : 0;
