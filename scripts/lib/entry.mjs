// The beginning of each script.
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { complain, Failure } from './log.mjs';
import { isAnswered } from './usage.mjs';

/**
 * Runs a script's main function, unless only its usage is asked for; prints the message of a Failure, and the stack trace of
 * any other error.
 */
export async function main(work) {
  try {
    if (!isAnswered()) await work();
  } catch (error) {
    complain(error instanceof Failure ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}

/** Does the same with the command line's arguments if Node was started with the module at `url`. */
export async function runIfEntry(url, work) {
  const started = process.argv[1];
  if (started && realpathSync(started) === realpathSync(fileURLToPath(url))) {
    await main(() => work(process.argv.slice(2)));
  }
}
