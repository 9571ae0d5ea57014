// Reads the ftrace export with a trace reader by others (TRAPpy, from PyPI) and holds what it finds against
// the report of the same run: CPU time of each thread, switches, migrations.
//   node scripts/check-traces.mjs
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runIfEntry } from './lib/entry.mjs';
import { Failure, note } from './lib/log.mjs';
import { timeslice } from './lib/native.mjs';
import { cache, inRoot, windows } from './lib/paths.mjs';
import { mustRun, patiently, run } from './lib/run.mjs';

const READER = 'trappy==6.0.1';
const environment = path.join(cache, 'trace-reader');
const python = path.join(environment, windows ? 'Scripts/python.exe' : 'bin/python');
const ended = path.join(environment, `${READER}.installed`);

async function setUpReader() {
  if (existsSync(ended)) return;
  mkdirSync(cache, { recursive: true });
  await mustRun([windows ? 'python' : 'python3', '-m', 'venv', environment], {
    what: 'python3 -m venv (on Debian: apt-get install python3-venv)',
  });
  await patiently(`installing ${READER}`, [
    ...[python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', READER],
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

export async function checkTraces() {
  await setUpReader();
  const folder = mkdtempSync(path.join(tmpdir(), 'timeslice-'));
  const file = path.join(folder, 'trace.txt');
  try {
    for (const scheduler of [1, 3]) {
      const lane = String(scheduler);
      const until = '400ms';
      const reports = JSON.parse(await printed('run', 'bfs-smt', '--until', until, '--json'));
      writeFileSync(
        file,
        await printed('trace', 'bfs-smt', '--until', until, '--lane', lane, '--format', 'ftrace'),
      );
      const { code, output } = await run([
        ...[python, inRoot('scripts', 'lib', 'read-trace.py'), file, '0.4'],
      ]);
      if (code !== 0) throw new Failure(`The trace reader failed:\n${output}`);
      const report = reports[scheduler - 1];
      const found = JSON.parse(output.slice(output.indexOf('{')));
      const wrong = compare(report, found);
      if (wrong.length > 0) throw new Failure(`${report.scheduler}: ${wrong.join('; ')}`);
      note(`${report.scheduler}: ${found.switches} switches, read by TRAPpy as the core ran them`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await runIfEntry(import.meta.url, checkTraces);
