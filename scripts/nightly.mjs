// npm run nightly: what takes too long to run at each change: other browser engines, documentation, notebooks, trials of a
// release, and more (scripts/steps.mjs has the list). The workflow runs all of it each night and before a release.
//   node scripts/nightly.mjs [PART …]     all parts, or those of these names
//   node scripts/nightly.mjs --today      the part whose turn it is today, so that none rots: CI runs it
import { main } from './lib/entry.mjs';
import { Failure, heading, note, sinceStart } from './lib/log.mjs';
import { ensureLints } from './lib/setup-rust.mjs';
import { runSteps, summarise } from './lib/step-runner.mjs';
import { setUp } from './setup.mjs';
import { partOf, parts, stepsOf } from './steps.mjs';

await main(async () => {
  const args = process.argv.slice(2);
  const chosen = args.includes('--today') ? [partOf(new Date())] : args;
  const unknown = chosen.find((part) => !parts.includes(part));
  if (unknown) throw new Failure(`${unknown} is no part. The parts: ${parts.join(', ')}.`);
  await setUp({ browser: true });
  await ensureLints();
  const todo = chosen.length > 0 ? chosen : parts;
  heading(`Nightly: ${todo.join(', ')}`);
  const result = await runSteps(todo.flatMap(stepsOf));
  note(`after ${sinceStart()}`);
  summarise(result);
});
