// Which threads of a browser used the processors, as Linux counts it. Elsewhere nothing is known.
import { readFileSync, readdirSync } from 'node:fs';

/** Kinds of threads by the names that Chromium gives them (the kernel keeps 15 letters). The last one takes the rest. */
const KINDS = [
  ['workers', /^DedicatedWorker/],
  ['page', /^CrRendererMain/],
  ['pixels', /^(?:ThreadPoolForeg|CompositorTileW|VizCompositorTh|CrGpuMain|Compositor)/],
  ['other', /./],
];

const read = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Threads end while they are read.
    return '';
  }
};

const list = (folder) => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Fields of a stat file behind the name, which may hold blanks. */
const fields = (stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

/** All processes that a process started, and those that they started. */
function below(pid) {
  const parents = list('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(fields(read(`/proc/${name}/stat`))[1])]);
  const found = [pid];
  for (const one of found)
    found.push(...parents.filter(([, of]) => of === one).map(([child]) => child));
  return found.slice(1);
}

/** Processor time of the threads of all processes below this one, by kind, in clock ticks of the kernel. */
function ticks() {
  const sums = Object.fromEntries(KINDS.map(([kind]) => [kind, 0]));
  for (const pid of below(process.pid)) {
    // A process's first thread has the name of the program.
    const isRenderer = read(`/proc/${pid}/cmdline`).includes('--type=renderer');
    for (const tid of list(`/proc/${pid}/task`)) {
      const own = read(`/proc/${pid}/task/${tid}/comm`).trim();
      const name = isRenderer && Number(tid) === pid ? 'CrRendererMain' : own;
      const [kind] = KINDS.find(([, names]) => names.test(name)) ?? ['other'];
      const [user, system] = fields(read(`/proc/${pid}/task/${tid}/stat`)).slice(11, 13);
      sums[kind] += Number(user ?? 0) + Number(system ?? 0);
    }
  }
  return sums;
}

/** Ticks for a second, the same on every system of today. */
const HZ = 100;

/** Begins to count. What it returns gives the share of a processor that each kind of thread used since then. */
export function countThreads() {
  const [before, began] = [ticks(), performance.now()];
  return () => {
    const [after, seconds] = [ticks(), (performance.now() - began) / 1000];
    return Object.fromEntries(
      KINDS.map(([kind]) => [kind, (after[kind] - before[kind]) / HZ / seconds]),
    );
  };
}
