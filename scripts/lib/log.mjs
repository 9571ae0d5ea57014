// What the scripts say, all in one form. Plain text: it must read well in a log file too.

const started = Date.now();

/** Seconds as `4.2 s` or `3 min 05 s`. */
export function duration(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

export const sinceStart = () => duration(Date.now() - started);

export function heading(text) {
  console.log(`\n=== ${text} ===`);
}

export function note(text) {
  console.log(`  ${text}`);
}

export function complain(text) {
  console.error(text);
}

/** Ends the script with a message for people, without a stack. */
export class Failure extends Error {}

/** Runs a script's main function; a Failure is printed as it is, anything else with its stack. */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    complain(error instanceof Failure ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
