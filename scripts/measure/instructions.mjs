// npm run measure instructions: how many instructions the simulation takes for an event, counted by callgrind and held against
// scripts/measure/instructions.json. A count does not depend on what else the machine does, so it may fail a build; a time may not.
//   node scripts/measure/instructions.mjs [--row NAME …]   fails where a row grew by more than 2 %
//   node scripts/measure/instructions.mjs --write          writes the baseline anew
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aptInstall } from '../lib/apt.mjs';
import { runIfEntry } from '../lib/entry.mjs';
import {
  LIMIT,
  compare,
  grown,
  incomparable,
  perEvent,
  readCallgrind,
} from '../lib/instructions.mjs';
import { Failure, heading, note, sinceStart } from '../lib/log.mjs';
import { buildReleased } from '../lib/native.mjs';
import { option } from '../lib/options.mjs';
import { cache, inRoot } from '../lib/paths.mjs';
import { ask, run, which } from '../lib/run.mjs';
import { checkRust } from '../lib/setup-rust.mjs';

const baselineFile = inRoot('scripts', 'measure', 'instructions.json');

/** Simulated seconds of each row's short and long run: as short as the counts stay repeatable. */
const ROWS = {
  '16x64': [20, 120],
  '16x64-cfs': [10, 30],
  '16x64-eevdf': [10, 30],
  '16x64-cfs-6.1': [10, 30],
  '16x64-eevdf-6.18': [10, 30],
  '16x64-eevdf-7.3': [4, 12],
  '32x512-cfs': [2, 6],
  'yield-100-ule': [1, 2],
  '16x64-cfs-page': [5, 15],
};

/** One run under callgrind. */
async function count(binary, name, seconds) {
  const file = path.join(cache, 'instructions', `${name}-${seconds}.out`);
  mkdirSync(path.dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const { code, output, stdout } = await run([
    ...['valgrind', '--tool=callgrind', `--callgrind-out-file=${file}`, '--dump-line=no'],
    ...[binary, name, String(seconds)],
  ]);
  if (code !== 0) throw new Failure(`${output}\nThe count of ${name} failed.`);
  const counted = readCallgrind(readFileSync(file, 'utf8'));
  return { ...counted, events: JSON.parse(stdout).count };
}

/** The rows of those names, counted; two runs at a time, as CI has two cores. */
async function countAll(binary, names) {
  const rows = {};
  for (const name of names) {
    const lengths = ROWS[name];
    if (!lengths) throw new Failure(`--row must be one of ${Object.keys(ROWS).join(', ')}.`);
    const [short, long] = await Promise.all(lengths.map((s) => count(binary, name, s)));
    rows[name] = { short: lengths[0], long: lengths[1], ...perEvent(short, long) };
    note(`${name}: ${rows[name].perEvent} instructions per event (after ${sinceStart()})`);
  }
  return rows;
}

/** The tools that the numbers were made with. */
function madeWith() {
  const about = ask('rustc', ['--version', '--verbose']) ?? '';
  return {
    about:
      'Instructions per event, counted by callgrind. Written by: npm run measure instructions -- --write',
    rustc: about.split('\n')[0],
    host: /^host: (.*)$/m.exec(about)?.[1],
    valgrind: ask('valgrind', ['--version']),
  };
}

const signed = (part) => `${part > 0 ? '+' : ''}${(100 * part).toFixed(2)} %`;

function print({ name, before, now, change, verdict }) {
  if (change === undefined) {
    note(`${name}: ${verdict}`);
    return;
  }
  note(`${name}: ${before.perEvent} before, ${now.perEvent} now, ${signed(change)}: ${verdict}`);
  if (verdict !== 'GREW') return;
  for (const f of grown(before.functions, now.functions)) {
    note(`    ${(f.now - f.before).toFixed(1)} more in ${f.name} (${f.before} before)`);
  }
}

/** Why counting is impossible here, or undefined. */
async function withoutValgrind() {
  if (which('valgrind')) return undefined;
  if (process.platform !== 'linux') return 'there is no valgrind for this system';
  return aptInstall(['valgrind'], 20);
}

await runIfEntry(import.meta.url, async (args) => {
  checkRust();
  const reason = await withoutValgrind();
  if (reason) {
    note(`instructions per event were not counted: ${reason}`);
    return;
  }
  heading('Instructions per event');
  const chosen = option(args, '--row', { all: true });
  const names = chosen.length > 0 ? chosen : Object.keys(ROWS);
  const made = madeWith();
  const rows = await countAll(await buildReleased('timeslice-bench'), names);
  if (args.includes('--write')) {
    if (chosen.length > 0) throw new Failure('--write takes all rows: leave --row out.');
    writeFileSync(baselineFile, `${JSON.stringify({ ...made, rows }, null, 2)}\n`);
    note('scripts/measure/instructions.json written');
    return;
  }
  const baseline = JSON.parse(readFileSync(baselineFile, 'utf8'));
  const other = incomparable(baseline, made);
  if (other) {
    note(`not compared: ${other}. To have one for this: npm run measure instructions -- --write`);
    return;
  }
  const all = compare(baseline.rows, rows).filter(({ name }) => names.includes(name));
  all.forEach(print);
  const bad = all.filter(({ verdict }) => !['same', 'fell'].includes(verdict));
  if (bad.length > 0) {
    throw new Failure(
      `${bad.map(({ name }) => name).join(', ')}: not as in scripts/measure/instructions.json; at most ` +
        `${100 * LIMIT} % more is allowed. If it has to be so: npm run measure instructions -- --write`,
    );
  }
  if (all.some(({ verdict }) => verdict === 'fell')) {
    note(
      'some fell: write that down with npm run measure instructions -- --write, and it stays so',
    );
  }
});
