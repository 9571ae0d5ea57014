// What a script says of itself is the comment at its beginning. `--help` prints it, and an option that it does not name is
// refused: a mistyped one would else be ignored, and the script would do something else than was asked.
import { readFileSync } from 'node:fs';
import { Failure } from './log.mjs';

/** The comment at the beginning of a script, without its slashes. */
export function usageOf(text) {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n');
}

/** Set-up reads it, and many scripts begin with that. */
const OF_SET_UP = '--yes';

/** The options that a usage names. `OPTIONS` stands for those of the program that the script calls: all are allowed. */
export function optionsOf(usage) {
  return usage.includes('OPTIONS')
    ? null
    : new Set([OF_SET_UP, ...(usage.match(/--[a-z][a-z-]*/g) ?? [])]);
}

/** Refuses options that the usage does not name. */
export function checkOptions(usage, args) {
  const known = optionsOf(usage);
  if (!known) return;
  const wrong = args
    .map((arg) => arg.split('=')[0])
    .find((arg) => /^--./.test(arg) && !known.has(arg));
  if (wrong) throw new Failure(`There is no option ${wrong}.\n\n${usage}`);
}

/** Whether the arguments ask only for the usage of the script that Node was started with; it is printed then. */
export function isAnswered([, script, ...args] = process.argv) {
  if (!script) return false;
  const usage = usageOf(readFileSync(script, 'utf8'));
  if (['--help', '-h'].includes(args[0])) {
    console.log(usage);
    return true;
  }
  checkOptions(usage, args);
  return false;
}
