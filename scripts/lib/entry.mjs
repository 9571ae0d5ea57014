// Modules that can be imported and also run directly.
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { main } from './log.mjs';

/** Runs `work` with the command line's arguments if Node was started with the module at `url`. */
export async function runIfEntry(url, work) {
  const started = process.argv[1];
  if (started && realpathSync(started) === realpathSync(fileURLToPath(url))) {
    await main(() => work(process.argv.slice(2)));
  }
}
