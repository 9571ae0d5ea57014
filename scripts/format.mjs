// npm run format: rewrites every file in the style that `npm run check` requires.
import { main } from './lib/entry.mjs';
import { mustRun, npmProgram } from './lib/run.mjs';

await main(async () => {
  await mustRun(['cargo', 'fmt', '--all']);
  await mustRun(['cargo', 'fmt', '--manifest-path', 'scripts/pack/Cargo.toml']);
  await mustRun([...npmProgram('prettier'), '--write', '--log-level', 'warn', '.']);
});
