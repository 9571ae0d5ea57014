// Sets up what is missing; does nothing, quickly, when nothing is.
//   node scripts/setup.mjs [--browser] [--no-rust]
import { runIfEntry } from './lib/entry.mjs';
import { heading, note, sinceStart } from './lib/log.mjs';
import { setUpBrowser } from './lib/setup-browser.mjs';
import { packagesAreInstalled, setUpNpm } from './lib/setup-npm.mjs';
import { checkRust, setUpRust } from './lib/setup-rust.mjs';

export async function setUp({ browser = false, rust = true, titled = true } = {}) {
  if (titled) heading('Set-up');
  if (rust) checkRust();
  if (!packagesAreInstalled()) note('first run on this clone: this takes a few minutes, once');
  // npm waits for the network and cargo for the processor: side by side.
  const results = await Promise.allSettled([setUpNpm(), rust ? setUpRust() : undefined]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  if (browser) await setUpBrowser();
  note(`ready after ${sinceStart()}`);
}

await runIfEntry(import.meta.url, (args) =>
  setUp({ browser: args.includes('--browser'), rust: !args.includes('--no-rust') }),
);
