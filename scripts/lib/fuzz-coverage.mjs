// Fuzzing guided by coverage: cargo-fuzz with the targets of sim-core/fuzz. Of all inputs, those that together reach
// everything are kept in the corpus there, which the core's tests replay without a fuzzer.
import { existsSync, mkdirSync } from 'node:fs';
import { keptInputs, pack, unpack } from './fuzz-corpus.mjs';
import { Failure, heading, note } from './log.mjs';
import { inRoot } from './paths.mjs';
import { mustRun, run } from './run.mjs';

const TARGETS = ['scenario', 'snapshot', 'link', 'edits', 'import', 'policy'];
/** Longest time for one input in seconds: a slower one counts as a finding. */
const HANG = 25;

const folder = (...parts) => inRoot('sim-core', 'fuzz', ...parts);

/** Runs the targets one after the other, each for a number of seconds; only the named ones, if any are named. */
export async function fuzzCoverage(seconds, names) {
  const { code } = await run(['cargo', 'fuzz', '--version'], { show: false });
  if (code !== 0)
    throw new Failure('This needs cargo-fuzz: type `cargo install cargo-fuzz` and try again.');
  for (const target of TARGETS.filter((name) => names.length === 0 || names.includes(name))) {
    heading(`Fuzzing ${target} for ${seconds} s`);
    const before = keptInputs(target);
    const kept = folder('target', 'kept', target);
    unpack(before, kept);
    // Inputs that were found meanwhile; most of them have no lasting use.
    const found = folder('target', 'found', target);
    mkdirSync(found, { recursive: true });
    // Without a sanitizer, as the core has no unsafe code; so any toolchain works.
    const fuzz = ['cargo', 'fuzz', 'run', '--sanitizer', 'none', target];
    const options = { cwd: inRoot('sim-core'), what: `fuzzing ${target}` };
    const words = folder(`${target}.dict`);
    await mustRun(
      [
        ...fuzz,
        found,
        kept,
        '--',
        `-max_total_time=${seconds}`,
        `-timeout=${HANG}`,
        '-max_len=8000',
        ...(existsSync(words) ? [`-dict=${words}`] : []),
      ],
      options,
    );
    // The fewest inputs that reach what all of them reach.
    const fewest = folder('target', 'fewest', target);
    unpack([], fewest);
    const merge = ['-set_cover_merge=1', '-use_counters=0'];
    await mustRun([...fuzz, fewest, kept, found, '--', ...merge], options);
    note(`${target}: ${pack(fewest, target)} inputs are kept, where there were ${before.length}`);
  }
  const artifacts = folder('artifacts');
  if (existsSync(artifacts)) note(`What failed, if anything did, is in ${artifacts}.`);
}
