// Needed only for a release: the program that lists the components of crates. Compiled for this repository only.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './log.mjs';
import { windows } from './paths.mjs';
import { ask, localTools, patiently } from './run.mjs';

const VERSION = '0.5.9';

/** The path of a program among our own tools. */
export const inTools = (name) => path.join(localTools, 'bin', windows ? `${name}.exe` : name);

/** Compiles cargo-cyclonedx if it is missing: a minute and a half on two cores. */
export async function setUpRelease() {
  const file = inTools('cargo-cyclonedx');
  if (existsSync(file) && ask(file, ['cyclonedx', '--version'])?.includes(VERSION)) return;
  const install = ['cargo', 'install', 'cargo-cyclonedx', '--version', `=${VERSION}`, '--locked'];
  const { code, output } = await patiently(
    `compiling cargo-cyclonedx ${VERSION}`,
    [...install, '--root', localTools],
    { seconds: 90 },
  );
  if (code !== 0) throw new Failure(`${output}\nCould not install cargo-cyclonedx.`);
}
