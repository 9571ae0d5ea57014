// The licence of the Python package and the notices of what it contains, for the time of a build: maturin takes files of
// these names beside pyproject.toml into the wheel.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NOTICES, linkedInto, noticesText } from './notices.mjs';
import { dist, inRoot } from './paths.mjs';

/** Runs `build` while both files are in the folder of the crate. The page must be built: it is in the wheel. */
export async function withTerms(crate, host, build) {
  const files = ['LICENSE', NOTICES].map((name) => path.join(crate, name));
  copyFileSync(inRoot('LICENSE'), files[0]);
  const own = noticesText('Timeslice, the Python package', linkedInto(['timeslice-python'], host));
  const ofPage = readFileSync(path.join(dist, NOTICES), 'utf8');
  writeFileSync(files[1], `${own}\n\nThe page in this package:\n\n${ofPage}`);
  try {
    return await build();
  } finally {
    for (const file of files) rmSync(file, { force: true });
  }
}
