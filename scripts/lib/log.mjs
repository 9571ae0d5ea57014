// Messages of the scripts, all in one form. Plain text, which is readable in a log file, too.

const started = Date.now();

/** Seconds as `4.2 s` or `3 min 05 s`. */
export function duration(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

export const sinceStart = () => duration(Date.now() - started);

let say = console.log;
let shown = process.stdout;

/** For scripts whose standard output is for other programs: messages then go to standard error. */
export function sayOnStderr() {
  say = console.error;
  shown = process.stderr;
}

/** The stream for the output of other programs. */
export const shownOn = () => shown;

export function heading(text) {
  say(`\n=== ${text} ===`);
}

export function note(text) {
  say(`  ${text}`);
}

export function complain(text) {
  console.error(text);
}

/** Ends the script with a message, without a stack trace. */
export class Failure extends Error {}
