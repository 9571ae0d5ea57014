// Runs a command and tells the parent process what it cost: processor seconds of the command and all that it started.
//   node scripts/lib/timed.mjs COMMAND [ARGUMENT …]
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

/** Clock ticks of a second, in which Linux counts. */
const TICKS = 100;

/** Processor seconds of the children that have ended; undefined where the system does not tell. */
function cpuSecondsOfChildren() {
  try {
    // After the name in parentheses: cutime and cstime are fields 16 and 17 of the whole line.
    const fields = readFileSync('/proc/self/stat', 'utf8').replace(/.*\) /s, '').split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS;
  } catch {
    return undefined;
  }
}

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: 'inherit' });
const end = (code) => {
  process.send?.({ cpuSeconds: cpuSecondsOfChildren() });
  process.disconnect?.();
  process.exitCode = code;
};
child.on('error', (error) => {
  console.error(String(error));
  end(127);
});
child.on('close', (code, signal) => end(code ?? 128 + (constants.signals[signal] ?? 0)));
