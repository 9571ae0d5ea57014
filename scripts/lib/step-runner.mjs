// Runs steps of scripts/steps.mjs: two lanes side by side, with what each step cost and what it said.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { duration, heading, note } from './log.mjs';
import { inRoot, reports, root } from './paths.mjs';
import { cargoLocked, environment, npmProgram } from './run.mjs';
import { filesUnder, hashFiles, isFresh, removeStamp, writeStamp } from './stamp.mjs';
import { whileWaiting } from './waiting.mjs';

/** Programs of npm packages, by the word that begins a command. */
const PROGRAMS = {
  prettier: ['prettier'],
  eslint: ['eslint'],
  'svelte-check': ['svelte-check'],
  tsc: ['typescript', 'tsc'],
  vite: ['vite'],
  vitest: ['vitest'],
  playwright: ['@playwright/test', 'playwright'],
};

/** A command of the table as a command line. */
function commandLine(command) {
  const [program, ...args] = command.split(' ');
  if (program === 'node') return [process.execPath, ...args];
  if (program in PROGRAMS) return [...npmProgram(...PROGRAMS[program]), ...args];
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const locked = program === 'cargo' && args[0] !== 'fmt' ? cargoLocked() : [];
  return [program, ...args.slice(0, end), ...locked, ...args.slice(end)];
}

/** What a command said and cost: `{ code, output, cpuSeconds }`; processor seconds only where the system tells them. */
export function carryOut(command, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [inRoot('scripts', 'lib', 'timed.mjs'), ...commandLine(command)],
      {
        cwd: root,
        env: environment({ RUSTDOCFLAGS: '-D warnings', ...env }),
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    );
    let output = '';
    let cpuSeconds;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('message', (message) => ({ cpuSeconds } = message));
    child.on('error', (error) => resolve({ code: 127, output: output + String(error) }));
    child.on('close', (code) => resolve({ code: code ?? 1, output, cpuSeconds }));
  });
}

/** The counts in the last line `N passed, N failed` of an output; a command without one is a single check. */
export function countsOf(output, code) {
  const [last] = [...output.matchAll(/^(\d+) passed, (\d+) failed$/gm)].slice(-1);
  const counts = last
    ? { passed: Number(last[1]), failed: Number(last[2]) }
    : { passed: code === 0 ? 1 : 0, failed: 0 };
  // A command that fails without a failed test (it did not compile, say) is one failure.
  if (code !== 0) return { ...counts, failed: Math.max(1, counts.failed) };
  // A suite without a test has proved nothing.
  return counts.passed === 0 && counts.failed === 0 ? { passed: 0, failed: 1 } : counts;
}

const stampOf = ({ name }) => `step-${name.replaceAll(/\W+/g, '-')}`;

/** Files that belong to no source, below folders that steps read. */
const isMade = (file) =>
  /(^|\/)(target|node_modules|__pycache__|pkg|\.wuchale|\.svelte-check|\.mypy_cache)$/.test(file);

/** The files of a step. What is made counts where a step names it. */
export const filesRead = (reads) =>
  filesUnder(reads, (file) => isMade(file) && !reads.includes(file));

const memory = new Map();

/** A hash of what a step reads, and of its command. Nothing for a step that always runs. */
function hashOf({ command, reads }) {
  if (!reads) return undefined;
  const key = reads.join(' ');
  if (!memory.has(key)) memory.set(key, hashFiles(filesRead(reads)));
  return hashFiles([], `${command}\n${memory.get(key)}`);
}

/** Whether a step passed before, with everything that it reads as it is now. */
const isUnchanged = (step) => Boolean(step.reads) && isFresh(stampOf(step), hashOf(step));

/** Lines that are shown although the step passed. */
const WORTH_SAYING = /^(?:warning: .*|FLAKY .*)$/gm;

/** Runs one step; resolves to its row of the table. */
async function runStep(step) {
  const begin = Date.now();
  const hash = hashOf(step);
  removeStamp(stampOf(step));
  const { code, output, cpuSeconds } = await whileWaiting(step.name, undefined, () =>
    carryOut(step.command),
  );
  const counts = countsOf(output, code);
  const milliseconds = Date.now() - begin;
  const ok = counts.failed === 0;
  if (ok && hash) writeStamp(stampOf(step), hash);
  const folder = path.join(reports, 'steps');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${stampOf(step).slice(5)}.log`), output);
  if (!ok) {
    heading(`${step.name} failed: ${step.command}`);
    console.log(output.trim());
  }
  note(`${ok ? 'ok    ' : 'FAILED'}  ${step.name}  ${duration(milliseconds)}`);
  if (ok) for (const [line] of output.matchAll(WORTH_SAYING)) note(`        ${line}`);
  return { name: step.name, ...counts, milliseconds, cpuSeconds };
}

/**
 * Runs steps. With `stopAtFailure` no step begins after one has failed; without it all run, so that one run shows all
 * problems. With `onlyChanged` steps are left out that passed before with the same inputs. Resolves to rows
 * `{ name, passed, failed, milliseconds, cpuSeconds }`, and the names of the steps that were left out or not run.
 */
export async function runSteps(steps, { stopAtFailure = false, onlyChanged = false } = {}) {
  memory.clear();
  const unchanged = [];
  const rows = [];
  const ended = new Map();
  const end = {};
  for (const { name } of steps) ended.set(name, new Promise((resolve) => (end[name] = resolve)));
  const hasFailed = () => stopAtFailure && rows.some(({ failed }) => failed > 0);
  const lanes = [...new Set(steps.map(({ lane }) => lane))];
  await Promise.all(
    lanes.map(async (lane) => {
      for (const step of steps.filter((one) => one.lane === lane)) {
        const before = await Promise.all(step.after.map((name) => ended.get(name) ?? true));
        const runs = before.every(Boolean) && !hasFailed();
        // Only now, as a step before this one may have made what it reads.
        if (runs && onlyChanged && isUnchanged(step)) {
          unchanged.push(step.name);
          end[step.name](true);
          continue;
        }
        const row = runs ? await runStep(step) : undefined;
        // Such a step makes what others read.
        if (!step.reads) memory.clear();
        if (row) rows.push(row);
        end[step.name](row?.failed === 0);
      }
    }),
  );
  const done = new Set(rows.map(({ name }) => name));
  return {
    rows,
    unchanged,
    notRun: steps.map(({ name }) => name).filter((n) => !done.has(n) && !unchanged.includes(n)),
  };
}

/** Prints the table, then the line `N passed, N failed`, which must be the last one. Sets the exit code. */
export function summarise({ rows, unchanged, notRun }) {
  heading('Summary');
  const names = [...rows.map(({ name }) => name), ...unchanged, ...notRun];
  const width = Math.max(...names.map((name) => name.length), 12);
  for (const { name, passed, failed, milliseconds, cpuSeconds } of rows)
    console.log(
      `  ${name.padEnd(width)}  ${failed > 0 ? 'FAILED' : 'ok    '}  ${String(passed).padStart(5)} passed  ` +
        `${String(failed).padStart(3)} failed  ${duration(milliseconds).padStart(12)}` +
        (cpuSeconds === undefined ? '' : `  ${cpuSeconds.toFixed(0).padStart(5)} CPU s`),
    );
  for (const name of unchanged) console.log(`  ${name.padEnd(width)}  unchanged since it passed`);
  for (const name of notRun) console.log(`  ${name.padEnd(width)}  not run`);
  const sum = (key) => rows.reduce((all, row) => all + row[key], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = sum('failed') > 0 || notRun.length > 0 ? 1 : 0;
}
