// The npm side of set-up: Node itself and the packages that package-lock.json names.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './log.mjs';
import { inRoot, windows } from './paths.mjs';
import { patiently } from './run.mjs';
import { versionNumber } from './setup-rust.mjs';

const readJson = (...parts) => JSON.parse(readFileSync(inRoot(...parts), 'utf8'));

export function checkNode() {
  const wanted = readJson('package.json').engines.node.replace('>=', '');
  if (versionNumber(process.versions.node) < versionNumber(wanted)) {
    throw new Failure(`Node ${process.versions.node} is too old, ${wanted} or newer is needed.`);
  }
}

/** Whether what is installed is what the lock file names. Reads it off: a stamp could lie. */
export function packagesAreInstalled() {
  // npm writes this file last, so an interrupted install does not have it.
  if (!existsSync(inRoot('node_modules', '.package-lock.json'))) return false;
  const { packages } = readJson('package-lock.json');
  return Object.entries(packages).every(([folder, entry]) => {
    // Optional ones are builds for other systems, mostly.
    if (folder === '' || entry.optional) return true;
    try {
      return readJson(folder, 'package.json').version === entry.version;
    } catch {
      return false;
    }
  });
}

/** npm as a command line: the one that started us, if any, so that it is the same version. */
function npm() {
  const own = process.env.npm_execpath;
  if (own && path.basename(own).startsWith('npm') && existsSync(own)) {
    return { line: [process.execPath, own], shell: false };
  }
  return { line: ['npm'], shell: windows };
}

const INSTALL = { what: 'installing the npm packages', seconds: 20, stage: 0 };

/** What is to do, for those who wait. */
export const plannedNpm = () => (packagesAreInstalled() ? [] : [INSTALL]);

export async function setUpNpm() {
  checkNode();
  if (packagesAreInstalled()) return;
  const { line, shell } = npm();
  const { code, output } = await patiently(
    INSTALL.what,
    [...line, 'ci', '--no-fund', '--no-audit'],
    { shell, seconds: INSTALL.seconds },
  );
  if (code !== 0) throw new Failure(`${output}\nCould not install the npm packages. Type: npm ci`);
}
