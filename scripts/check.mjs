// npm run check: the quick loop, in two lanes side by side (scripts/steps.mjs has the list). It goes on after a failure, so
// that one run shows all problems. What passed before, with everything that it reads unchanged, is left out.
//   node scripts/check.mjs [--all] [--changed] [--no-tests] [--scheduler ID]
//     --all: leaves nothing out
//     --changed: all facts, situations and goldens of the schedulers that changed, and claims, as well
//     --no-tests: only the static checks
//     --scheduler: only facts, situations and goldens of this scheduler
import { existsSync } from 'node:fs';
import { buildWasm, isWasmStale } from './build-wasm.mjs';
import { main } from './lib/entry.mjs';
import { Failure, note, sinceStart } from './lib/log.mjs';
import { option } from './lib/options.mjs';
import { wasmPackage } from './lib/paths.mjs';
import { schedulerRooms } from './lib/scheduler-rooms.mjs';
import { ensureLints } from './lib/setup-rust.mjs';
import { runSteps, summarise } from './lib/step-runner.mjs';
import { setUp } from './setup.mjs';
import { stepsOf } from './steps.mjs';

/** A step for each scheduler: what a change in its rooms, or in the tests, can break. */
const schedulerSteps = () =>
  Object.entries(schedulerRooms()).map(([id, rooms]) => ({
    name: `facts and situations of ${id}`,
    command: `node scripts/suite.mjs scheduler ${id}`,
    lane: 'core',
    sets: [],
    after: [],
    reads: [...rooms, 'sim-core/run/tests', 'sim-core/tests'],
  }));

await main(async () => {
  const scheduler = option(process.argv.slice(2), '--scheduler');
  const withSchedulers = process.argv.includes('--changed');
  const onlyChanged = !process.argv.includes('--all');
  const isStatic = process.argv.includes('--no-tests');
  await setUp();
  if (scheduler !== undefined) {
    const ids = Object.keys(schedulerRooms());
    if (!ids.includes(scheduler)) throw new Failure(`--scheduler is one of ${ids.join(', ')}.`);
    summarise(
      await runSteps(schedulerSteps().filter(({ name }) => name.endsWith(` ${scheduler}`))),
    );
    return;
  }
  await ensureLints();
  if (!existsSync(wasmPackage)) {
    // It contains the types of the page's worker.
    await buildWasm();
  } else if (isWasmStale('quick')) {
    note('the WebAssembly package is older than the core; to renew it: npm run build:wasm');
  }
  const isTest = ({ command }) => /suite\.mjs|claims\.mjs/.test(command);
  const steps = stepsOf('check').filter((step) => !(isStatic && isTest(step)));
  // They run whole experiments, for a minute after most changes of the core.
  const claims = stepsOf('test').filter(({ command }) => command.includes('claims.mjs'));
  const longer = withSchedulers ? [...schedulerSteps(), ...claims] : [];
  const result = await runSteps([...longer, ...steps], { onlyChanged });
  note(`after ${sinceStart()}`);
  summarise(result);
});
