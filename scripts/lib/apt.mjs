// Installs Debian packages where no password is needed. On a terminal, the user is asked before the first.
import { createInterface } from 'node:readline/promises';
import { withLock } from './lock.mjs';
import { note } from './log.mjs';
import { ask, patiently, which } from './run.mjs';

/** The command prefix that gives root's rights without a password, or undefined. */
function asRoot() {
  if (process.getuid?.() === 0) return [];
  if (which('sudo') && ask('sudo', ['-n', 'true']) !== undefined) return ['sudo', '-n'];
  return undefined;
}

/**
 * The answer, or the choice made beforehand: `yes` or `no`. In the environment, so that scripts started from here
 * know it.
 */
const ANSWER = 'TIMESLICE_SYSTEM_PACKAGES';

async function askOnTerminal(question) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

/**
 * Whether system packages may be installed. Asks once, and only on a terminal; with `--yes`, or where there is nobody
 * to ask, they may.
 */
export async function mayInstall(
  packages,
  {
    isTerminal = Boolean(process.stdin.isTTY && process.stdout.isTTY),
    args = process.argv,
    env = process.env,
    question = askOnTerminal,
  } = {},
) {
  if (env[ANSWER] === undefined && isTerminal && !args.includes('--yes') && !env.CI) {
    const answer = await question(
      `  Set-up would install packages of this system with apt-get: ${packages.join(', ')}. Go on? [Y/n] `,
    );
    env[ANSWER] = /^\s*(y(es)?)?\s*$/i.test(answer) ? 'yes' : 'no';
  }
  return env[ANSWER] !== 'no';
}

/** Installs packages within a number of seconds; resolves to the reason for a failure, or to undefined on success. */
export async function aptInstall(packages, seconds) {
  const prefix = which('apt-get') && asRoot();
  if (!prefix) return 'there is no apt-get that may be used';
  if (!(await mayInstall(packages))) return `${packages.join(', ')} may not be installed here`;
  note(`installing packages of this system: ${packages.join(', ')}`);
  return withLock('apt', () => install(prefix, packages, seconds));
}

async function install(prefix, packages, seconds) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await patiently('reading the list of Debian packages', [...prefix, 'apt-get', 'update'], { env });
  const { code } = await patiently(
    `installing ${packages.join(', ')} with apt-get`,
    [...prefix, 'apt-get', 'install', '-y', '--no-install-recommends', ...packages],
    { env, seconds },
  );
  return code === 0 ? undefined : `apt-get could not install ${packages.join(', ')}`;
}
