// Needed only for a release: the program that lists the components of crates, and wasm-pack with its wasm-bindgen, as a
// release tries them on the core. What is missing is compiled for this repository only.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './log.mjs';
import { installed, lockedWasmBindgen } from './packer.mjs';
import { inRoot, windows } from './paths.mjs';
import { ask, localTools, patiently } from './run.mjs';

const LISTER = '0.5.9';

/** The path of a program among our own tools. */
export const inTools = (name) => path.join(localTools, 'bin', windows ? `${name}.exe` : name);

async function compile(name, version, seconds) {
  const install = ['cargo', 'install', name, '--version', `=${version}`, '--locked'];
  const { code, output } = await patiently(
    `compiling ${name} ${version}`,
    [...install, '--root', localTools],
    { seconds },
  );
  if (code !== 0) throw new Failure(`${output}\nCould not install ${name}.`);
}

/** Compiles what is missing: four minutes on two cores for all of it. */
export async function setUpRelease() {
  const lister = inTools('cargo-cyclonedx');
  if (!existsSync(lister) || !ask(lister, ['cyclonedx', '--version'])?.includes(LISTER))
    await compile('cargo-cyclonedx', LISTER, 90);
  if (installed('wasm-pack') === undefined) await compile('wasm-pack', '0.15.1', 80);
  const version = lockedWasmBindgen(readFileSync(inRoot('Cargo.lock'), 'utf8'));
  if (installed('wasm-bindgen') !== version) await compile('wasm-bindgen-cli', version, 105);
}
