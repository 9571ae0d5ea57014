// A module that is both imported by others and run by itself.
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { main } from './log.mjs';

/** Runs `work` with the command line's arguments if the module at `url` is the one Node was started with. */
export async function runIfEntry(url, work) {
  const started = process.argv[1];
  if (started && realpathSync(started) === realpathSync(fileURLToPath(url))) {
    await main(() => work(process.argv.slice(2)));
  }
}
