// npm run build:native: the command line, built a second time with a profile of what it does. The first build counts, runs
// what scripts/lib/training.mjs names, and llvm-profdata puts the counts together.
//   node scripts/build-native.mjs [--compare [NAME …]] [--runs N]
// With --compare the benchmarks of those names (all that are runs, without one) are measured without and with the profile.
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runIfEntry } from './lib/entry.mjs';
import { Failure, heading, note, sinceStart } from './lib/log.mjs';
import { CommandLine, RELEASE_FLAGS, buildReleased, withFlags } from './lib/native.mjs';
import { countOption } from './lib/options.mjs';
import { cache, inRoot, windows } from './lib/paths.mjs';
import { ask, cargoLocked, patiently, run, which } from './lib/run.mjs';
import { checkRust } from './lib/setup-rust.mjs';
import { pairs, shipped } from './lib/training.mjs';

const folder = path.join(cache, 'native');
const exe = windows ? '.exe' : '';

/** The compiler's folder, and its target. */
function compiler() {
  const about = ask('rustc', ['--version', '--verbose']) ?? '';
  return {
    host: /^host: (.*)$/m.exec(about)?.[1],
    sysroot: ask('rustc', ['--print', 'sysroot']),
  };
}

/** llvm-profdata of the compiler's own LLVM, as another one may not read its profiles. */
async function profdata({ host, sysroot }) {
  const file = path.join(sysroot, 'lib', 'rustlib', host, 'bin', `llvm-profdata${exe}`);
  const isThere = () => ask(file, ['--version']) !== undefined;
  if (isThere()) return file;
  const add = ['rustup', 'component', 'add', 'llvm-tools'];
  const { output } = which('rustup')
    ? await patiently("adding LLVM's tools", add, { seconds: 20 })
    : { output: 'There is no rustup.' };
  if (isThere()) return file;
  throw new Failure(`${output}\nllvm-profdata of this compiler is missing. Type: ${add.join(' ')}`);
}

/** Builds the command line with flags for its own code, not for code that runs during the build. */
async function buildWith(what, flags, host) {
  const target = path.join(folder, 'target');
  const { code, output } = await patiently(
    what,
    [
      ...['cargo', 'build', '--release', ...cargoLocked(), '-p', 'timeslice'],
      ...['--target', host, '--target-dir', target],
    ],
    { seconds: 240, env: withFlags(RELEASE_FLAGS, flags) },
  );
  if (code !== 0) throw new Failure(`${output}\n${what} failed.`);
  return path.join(target, host, 'release', `timeslice${exe}`);
}

/** Runs the instrumented program once. */
async function train(binary, profiles, args) {
  const { code, output } = await run([binary, ...args], {
    env: { LLVM_PROFILE_FILE: path.join(profiles, '%m-%p.profraw') },
  });
  if (code !== 0) throw new Failure(`${output}\nThe training ${args.join(' ')} failed.`);
}

async function trainAll(binary, profiles) {
  const catalog = JSON.parse((await run([binary, 'catalog', '--json'])).stdout);
  const short = ['--until', '1s'];
  for (const id of shipped(catalogIds(catalog))) {
    await train(binary, profiles, ['run', id, ...short]);
    await train(binary, profiles, ['decisions', id, '--until', '100ms']);
    await train(binary, profiles, ['trace', id, '--until', '100ms', '--format', 'csv']);
  }
  for (const scenario of pairs(catalogIds(catalog))) {
    const file = path.join(folder, 'training.json');
    writeFileSync(file, JSON.stringify(scenario));
    await train(binary, profiles, ['run', file]);
  }
}

/** The ids in a catalog. */
const catalogIds = ({ schedulers, machines, scenarios }) => ({
  schedulers,
  machines: machines.map((m) => m.spec.id),
  scenarios: scenarios.map((s) => s.id),
});

/** Builds the program with a profile; resolves to its path. */
async function buildTrained() {
  const about = compiler();
  const merge = await profdata(about);
  const [profiles, merged] = ['profiles', 'merged.profdata'].map((name) => path.join(folder, name));
  rmSync(profiles, { recursive: true, force: true });
  mkdirSync(profiles, { recursive: true });
  const counting = await buildWith(
    'building what counts',
    `-Cprofile-generate=${profiles}`,
    about.host,
  );
  note(`training (after ${sinceStart()}) …`);
  await trainAll(counting, profiles);
  const raw = readdirSync(profiles).map((name) => path.join(profiles, name));
  if (raw.length === 0) throw new Failure('The program that counts wrote no counts.');
  const { code, output } = await run([merge, 'merge', '-o', merged, ...raw]);
  if (code !== 0) throw new Failure(`${output}\nThe counts could not be put together.`);
  note(`${raw.length} profiles, ${(statSync(merged).size / 1e6).toFixed(1)} MB put together`);
  const built = await buildWith(
    'building with the profile',
    `-Cprofile-use=${merged} -Cllvm-args=-pgo-warn-missing-function=false`,
    about.host,
  );
  const file = path.join(folder, `timeslice${exe}`);
  copyFileSync(built, file);
  return file;
}

/** Runs both programs alternately; the fastest run of each counts. */
async function compareRows(plain, trained, names, runs) {
  const sides = [plain, trained].map((binary) => new CommandLine(binary));
  const rows = (await sides[0].rows(names)).filter((r) => names.length > 0 || r.kind !== 'gallery');
  let differ = 0;
  for (const row of rows) {
    const best = [Infinity, Infinity];
    const digests = new Set();
    for (let i = 0; i < runs; i += 1) {
      for (const [side, commandLine] of sides.entries()) {
        const { wallSeconds, digest } = await commandLine.once(row);
        best[side] = Math.min(best[side], wallSeconds);
        digests.add(digest);
      }
    }
    if (digests.size > 1) differ += 1;
    const ratio = (best[0] / best[1]).toFixed(2);
    const [a, b] = best.map((seconds) => seconds.toFixed(3));
    note(`${row.name.padEnd(18)} ${a} s without, ${b} s with: ${ratio} times as fast`);
  }
  if (differ > 0) throw new Failure(`${differ} rows have other digests with the profile.`);
}

await runIfEntry(import.meta.url, async (args) => {
  checkRust();
  heading('Native build with a profile');
  const trained = await buildTrained();
  if (args.includes('--compare')) {
    const names = args.slice(args.indexOf('--compare') + 1);
    const ends = names.findIndex((name) => name.startsWith('-'));
    const rows = ends < 0 ? names : names.slice(0, ends);
    const plain = await buildReleased('timeslice');
    await compareRows(plain, trained, rows, countOption(args, '--runs', 3));
  }
  note(`built: ${path.relative(inRoot(), trained)} (after ${sinceStart()})`);
});
