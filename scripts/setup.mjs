// Sets up what is missing; does nothing, quickly, when nothing is.
//   node scripts/setup.mjs [--browser] [--no-rust] [--yes]     --yes: does not ask before it installs packages of the system
import { runIfEntry } from './lib/entry.mjs';
import { heading, note, sinceStart } from './lib/log.mjs';
import { setUpBrowser } from './lib/setup-browser.mjs';
import { plannedNpm, setUpNpm } from './lib/setup-npm.mjs';
import { all, checkRust, plannedRust, setUpRust } from './lib/setup-rust.mjs';
import { waiting } from './lib/waiting.mjs';

/** `beside` is work that needs only the compiler, and nothing of npm. */
export async function setUp({ browser = false, rust = true, titled = true, beside } = {}) {
  if (titled) heading('Set-up');
  if (rust) checkRust();
  for (const { what, seconds, stage } of [...plannedNpm(), ...(rust ? plannedRust() : [])]) {
    waiting.plan(what, seconds, stage);
  }
  const planned = waiting.planned();
  if (planned) note(planned);
  // npm waits for the network and cargo for the processor, so they run side by side.
  await all(setUpNpm(), rust ? setUpRust(beside) : undefined);
  if (browser) await setUpBrowser();
  note(`ready after ${sinceStart()}`);
}

await runIfEntry(import.meta.url, (args) =>
  setUp({ browser: args.includes('--browser'), rust: !args.includes('--no-rust') }),
);
