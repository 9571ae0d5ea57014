// Debian's packages, where that needs no question.
import { withLock } from './lock.mjs';
import { ask, patiently, which } from './run.mjs';

/** The command prefix that gives root's rights without a question, or undefined. */
function asRoot() {
  if (process.getuid?.() === 0) return [];
  if (which('sudo') && ask('sudo', ['-n', 'true']) !== undefined) return ['sudo', '-n'];
  return undefined;
}

/** Installs packages, in so many seconds; resolves to why not, or to undefined when they are there. */
export async function aptInstall(packages, seconds) {
  const prefix = which('apt-get') && asRoot();
  if (!prefix) return 'there is no apt-get that may be used';
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
