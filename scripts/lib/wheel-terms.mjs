// The notices for the Python package during a build: maturin puts a file of this name beside pyproject.toml into the
// wheel.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NOTICES, linkedInto, noticesText } from './notices.mjs';

/** Runs `build` while the file is in the folder of the crate. */
export async function withTerms(crate, host, build) {
  const file = path.join(crate, NOTICES);
  const linked = linkedInto(['timeslice-python'], host);
  writeFileSync(file, noticesText('Timeslice, the Python package', linked));
  try {
    return await build();
  } finally {
    rmSync(file, { force: true });
  }
}
