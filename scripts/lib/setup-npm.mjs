// The npm part of set-up: Node itself and the packages in package-lock.json.
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

/** Whether the installed packages are those of the lock file. Reads the installed files, as a stamp could be wrong. */
export function packagesAreInstalled() {
  // npm writes this file last, so it is missing after an interrupted install.
  if (!existsSync(inRoot('node_modules', '.package-lock.json'))) return false;
  const { packages } = readJson('package-lock.json');
  return Object.entries(packages).every(([folder, entry]) => {
    // Optional packages are mostly builds for other systems.
    if (folder === '' || entry.optional) return true;
    try {
      return readJson(folder, 'package.json').version === entry.version;
    } catch {
      return false;
    }
  });
}

/** The command line of npm: the one that started this script, if any, so that it is the same version. */
function npm() {
  const own = process.env.npm_execpath;
  if (own && path.basename(own).startsWith('npm') && existsSync(own)) {
    return { line: [process.execPath, own], shell: false };
  }
  return { line: ['npm'], shell: windows };
}

const INSTALL = { what: 'installing the npm packages', seconds: 20, stage: 0 };

/** Work to announce to the user who waits. */
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
