// Reads the ftrace export with a trace reader by others (TRAPpy, from PyPI) and the Perfetto export with Perfetto's own
// messages (perfetto, from PyPI), and holds what it finds against the report of the same run: CPU time of each thread,
// switches, migrations, wake-ups. Perfetto's program that answers queries is no package, so it is not asked.
//   node scripts/check-traces.mjs
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runIfEntry } from './lib/entry.mjs';
import { Failure, note } from './lib/log.mjs';
import { timeslice } from './lib/native.mjs';
import { cache, inRoot, root, windows } from './lib/paths.mjs';
import { environment, mustRun, patiently, run } from './lib/run.mjs';

const READERS = ['trappy==6.0.1', 'perfetto==0.59.1', 'protobuf==7.36.2'];
const venv = path.join(cache, 'trace-reader');
const python = path.join(venv, windows ? 'Scripts/python.exe' : 'bin/python');
const ended = path.join(venv, `${READERS.join(' ')}.installed`);

async function setUpReaders() {
  if (existsSync(ended)) return;
  mkdirSync(cache, { recursive: true });
  await mustRun([windows ? 'python' : 'python3', '-m', 'venv', venv], {
    what: 'python3 -m venv (on Debian: apt-get install python3-venv)',
  });
  await patiently(`installing ${READERS.join(', ')}`, [
    ...[python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...READERS],
  ]);
  writeFileSync(ended, '');
}

async function printed(...args) {
  const { code, output } = await run(timeslice(...args));
  if (code !== 0) throw new Failure(`timeslice ${args.join(' ')}: ${output}`);
  return output;
}

/** Differences between the reader's results and the core's report. */
function compare(report, found) {
  const wrong = [];
  if (!found.consistent) wrong.push('a CPU goes on with another thread than it had');
  const sum = (key) => report.threads.reduce((all, thread) => all + thread[key], 0);
  if (found.migrations !== sum('migrations')) wrong.push(`${found.migrations} migrations`);
  for (const { name, cpuNs } of report.threads) {
    const busyNs = (found.busySeconds[name] ?? 0) * 1e9;
    // The reader has times in floating-point seconds.
    if (Math.abs(busyNs - cpuNs) > 1_000) wrong.push(`${name}: ${busyNs} ns, not ${cpuNs}`);
  }
  return wrong;
}

/** Differences between Perfetto's messages and the core's report. */
function comparePackets(report, { counts, consistent, busyNs, unknownFields, processes }) {
  const wrong = [];
  if (!consistent) wrong.push('a CPU goes on with another thread than it had');
  if (unknownFields > 0) wrong.push(`${unknownFields} fields that Perfetto does not know`);
  const sum = (key) => report.threads.reduce((all, thread) => all + thread[key], 0);
  const moves = counts.sched_migrate_task ?? 0;
  if (moves !== sum('migrations')) wrong.push(`${moves} migrations`);
  if (!(counts.sched_waking > 0) || counts.sched_waking !== counts.sched_wakeup)
    wrong.push(`${counts.sched_waking} wake-ups begin and ${counts.sched_wakeup} end`);
  for (const { name, cpuNs } of report.threads)
    if ((busyNs[name] ?? 0) !== cpuNs) wrong.push(`${name}: ${busyNs[name]} ns, not ${cpuNs}`);
  if (Object.keys(processes).length !== report.threads.length) wrong.push('threads without names');
  return wrong;
}

const UNTIL = '400ms';

/** Makes a trace of a lane, and reads it with a program of `scripts/lib`. */
async function readBack(folder, lane, format, program, until) {
  const file = path.join(folder, 'trace');
  const [command, ...args] = timeslice(
    ...['trace', 'bfs-smt', '--until', UNTIL, '--lane', lane, '--format', format],
  );
  const out = openSync(file, 'w');
  const made = spawnSync(command, args, {
    ...{ cwd: root, env: environment(), stdio: ['ignore', out, 'pipe'], encoding: 'utf8' },
  });
  closeSync(out);
  if (made.status !== 0) throw new Failure(`timeslice trace: ${made.stderr}`);
  const { code, output } = await run([python, inRoot('scripts', 'lib', program), file, until]);
  if (code !== 0) throw new Failure(`The trace reader failed:\n${output}`);
  return JSON.parse(output.slice(output.indexOf('{')));
}

export async function checkTraces() {
  await setUpReaders();
  const folder = mkdtempSync(path.join(tmpdir(), 'timeslice-'));
  try {
    for (const scheduler of [1, 3]) {
      const lane = String(scheduler);
      const reports = JSON.parse(await printed('run', 'bfs-smt', '--until', UNTIL, '--json'));
      const report = reports[scheduler - 1];
      const text = await readBack(folder, lane, 'ftrace', 'read-trace.py', '0.4');
      const packets = await readBack(folder, lane, 'perfetto', 'read-perfetto.py', '400000000');
      const wrong = [...compare(report, text), ...comparePackets(report, packets)];
      if (packets.counts.sched_switch !== text.switches)
        wrong.push(`${packets.counts.sched_switch} switches as packets, ${text.switches} as text`);
      if (wrong.length > 0) throw new Failure(`${report.scheduler}: ${wrong.join('; ')}`);
      note(
        `${report.scheduler}: ${text.switches} switches, read by TRAPpy and by Perfetto's messages as the core ran them`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await runIfEntry(import.meta.url, checkTraces);
