// npm test: sets up, and runs what must hold before a change is handed in (scripts/steps.mjs has the list). Outside CI a
// step that passed before, with everything that it reads unchanged, is left out. The last line is always `N passed, N failed`.
//   node scripts/test.mjs [--all]     --all: leaves nothing out
import { main } from './lib/entry.mjs';
import { duration, heading, note, sinceStart } from './lib/log.mjs';
import { testedProgram } from './lib/native.mjs';
import { run } from './lib/run.mjs';
import { ensureLints } from './lib/setup-rust.mjs';
import { askForPython } from './lib/setup-python.mjs';
import { runSteps, summarise } from './lib/step-runner.mjs';
import { setUp } from './setup.mjs';
import { parts, stepsOf } from './steps.mjs';

await main(async () => {
  const isAll = Boolean(process.env.CI) || process.argv.includes('--all');
  await setUp({ browser: true });
  await ensureLints();
  await askForPython();
  // It waits for the network, so it runs beside the first steps.
  const begin = Date.now();
  const python = run([process.execPath, 'scripts/python.mjs', '--set-up']).then(({ output }) => {
    note(`Python environment: ${duration(Date.now() - begin)}`);
    return output;
  });
  heading('Tests');
  note(`not in this set: ${parts.join(', ')}; they run by \`npm run nightly\``);
  // The steps after the Rust tests use the program that these have built.
  process.env.TIMESLICE_PROGRAM ??= testedProgram();
  const result = await runSteps(stepsOf('test'), { stopAtFailure: true, onlyChanged: !isAll });
  await python;
  note(`after ${sinceStart()}`);
  summarise(result);
});
