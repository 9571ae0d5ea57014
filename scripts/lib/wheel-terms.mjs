// The notices of what the Python package contains, for the time of a build: maturin takes a file of this name beside
// pyproject.toml into the wheel.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NOTICES, linkedInto, noticesText } from './notices.mjs';
import { dist } from './paths.mjs';

/** Runs `build` while the file is in the folder of the crate. The page must be built: it is in the wheel. */
export async function withTerms(crate, host, build) {
  const file = path.join(crate, NOTICES);
  const own = noticesText('Timeslice, the Python package', linkedInto(['timeslice-python'], host));
  const ofPage = readFileSync(path.join(dist, NOTICES), 'utf8');
  writeFileSync(file, `${own}\n\nThe page in this package:\n\n${ofPage}`);
  try {
    return await build();
  } finally {
    rmSync(file, { force: true });
  }
}
