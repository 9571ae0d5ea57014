// npm run release: builds what is published, starts every part of it, and leaves it in dist-release/: the site as an archive,
// the page as one file in each language, the command line for this platform, the Python wheel, bills of materials, the accessibility report, what
// changed, checksums.
//   node scripts/release.mjs [--tag vX.Y.Z]    fails unless that is the tag of this version
//   node scripts/release.mjs --page            only the site and the one files, as CI tries them
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { runIfEntry } from './lib/entry.mjs';
import { Failure, complain, heading, note, sinceStart } from './lib/log.mjs';
import { NOTICES } from './lib/notices.mjs';
import { option } from './lib/options.mjs';
import { dist, inRoot } from './lib/paths.mjs';
import { mustRun } from './lib/run.mjs';
import * as trials from './lib/release-checks.mjs';
import * as parts from './lib/release-parts.mjs';
import { inEnvironment, setUpPython } from './lib/setup-python.mjs';
import { setUpRelease } from './lib/setup-release.mjs';
import { rustHost } from './lib/setup-rust.mjs';
import { changesOf, version } from './lib/version.mjs';
import { setUp } from './setup.mjs';

const out = inRoot('dist-release');

/** Builds the parts; resolves to their file names by kind. */
async function make(release, pageOnly) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  heading('Parts');
  const made = {
    site: await parts.site(release),
    oneFile: parts.oneFile(release),
    oneFileGerman: parts.oneFile(release, 'de'),
  };
  if (pageOnly) return made;
  made.program = await parts.commandLine(release);
  made.wheel = await parts.wheel(release);
  made.bills = await parts.bills(release);
  parts.accessibility(release);
  writeFileSync(path.join(out, 'RELEASE_NOTES.md'), `${release.changes}\n`);
  made.checksums = parts.checksums(release);
  return made;
}

/** Tests the parts; resolves to the number of failures. */
async function attempt(release, made) {
  heading('Trials');
  const read = (name) => readFileSync(path.join(out, name), 'utf8');
  const digests = new Map();
  const steps = Object.entries(trials.TRIALS)
    .filter(([kind]) => kind in made)
    .map(([kind, trial]) => [
      made[kind],
      async () => digests.set(made[kind], await trial(path.join(out, made[kind]), release)),
    ]);
  if (made.bills) {
    const texts = made.bills.map(read);
    const notices = readFileSync(path.join(dist, NOTICES), 'utf8');
    steps.push(['bills of materials', () => trials.bills(texts, notices)]);
    steps.push(['the core by wasm-pack alone', trials.wasmPack]);
    steps.push(['checksums', () => trials.checksums(out, read(made.checksums))]);
  }
  steps.push([
    'one digest',
    () => {
      if (new Set(digests.values()).size !== 1) throw new Failure(JSON.stringify([...digests]));
    },
  ]);
  let failed = 0;
  for (const [name, work] of steps) {
    try {
      await work();
      note(`ok      ${name}`);
    } catch (error) {
      failed += 1;
      note(`FAILED  ${name}`);
      complain(error instanceof Failure ? error.message : error);
    }
  }
  console.log(`\n${steps.length - failed} passed, ${failed} failed`);
  return failed;
}

await runIfEntry(import.meta.url, async (args) => {
  const pageOnly = args.includes('--page');
  const wanted = version();
  const { date, text } = changesOf(wanted);
  const tag = option(args, '--tag');
  if (tag !== undefined && tag !== `v${wanted}`) {
    throw new Failure(`The tag is ${tag}, and the version in Cargo.toml is ${wanted}.`);
  }
  await setUp({ browser: true });
  const release = { version: wanted, date, changes: text, host: rustHost(), out };
  if (!pageOnly) {
    const why = await setUpPython();
    if (why) throw new Failure(`There can be no wheel: ${why}.`);
    await setUpRelease();
    release.python = inEnvironment('python');
  }
  await build({ policies: true });
  if (!pageOnly)
    await mustRun(['node', 'scripts/words.mjs', '--check', '--whole'], {
      what: 'The look for texts without a translation',
    });
  const made = await make(release, pageOnly);
  const failed = await attempt(release, made);
  for (const name of readdirSync(out)) {
    note(`${(statSync(path.join(out, name)).size / 1000).toFixed(0).padStart(6)} kB  ${name}`);
  }
  if (failed > 0) throw new Failure('The release is not fit to be published.');
  note(`dist-release is ready after ${sinceStart()}`);
});
