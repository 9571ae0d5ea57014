// npm run measure scaling: how the time for an event grows with CPUs, with threads and with the length of a run. Writes
// docs/scaling.md and its three curves.
//   node scripts/measure/scaling.mjs [--runs N] [--scheduler ID …]
// A time is that of a longer run without that of a shorter one, so that start-up falls out; the fastest of each counts.
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { runIfEntry } from '../lib/entry.mjs';
import { lineChart } from '../lib/line-chart.mjs';
import { heading, note } from '../lib/log.mjs';
import { BenchAlone, buildReleased } from '../lib/native.mjs';
import { countOption, option } from '../lib/options.mjs';
import { inRoot } from '../lib/paths.mjs';
import { exponent } from '../lib/exponent.mjs';

/** Threads start 1 ms apart; the shorter run ends after the last one has started. */
const started = (threads) => Math.ceil(threads / 1000) + 1;

/** Each point: the name of its run, and the ends of the shorter and the longer run. */
const CURVES = [
  {
    id: 'cpus',
    title: 'Time for an event against the number of CPUs, four threads to a CPU',
    x: 'CPUs',
    points: (id) =>
      [8, 16, 32, 64, 128, 192].map((cpus) => ({
        x: cpus,
        name: `size-${cpus}x${4 * cpus}-${id}`,
        from: started(4 * cpus),
        to: started(4 * cpus) + Math.max(12, Math.round(2560 / cpus)),
      })),
  },
  {
    id: 'threads',
    title: 'Time for an event against the number of threads, on 16 CPUs',
    x: 'threads',
    points: (id) =>
      [64, 250, 1000, 4000, 10_000].map((threads) => ({
        x: threads,
        name: `size-16x${threads}-${id}`,
        from: started(threads),
        to: started(threads) + 90,
      })),
  },
];

/** Runs as the page makes them, with a past that can be looked back on; measured from the first event on. */
const LENGTHS = {
  id: 'length',
  title: 'Time for an event against the length of a run of the page, 64 threads on 16 CPUs',
  x: 'simulated seconds',
  seconds: [1, 10, 60, 600, 3600],
  rows: { bfs: '16x64-page', cfs: '16x64-cfs-page' },
};

async function fastest(native, name, simulatedSeconds, runs) {
  let best;
  for (let i = 0; i < runs; i += 1) {
    const seen = await native.once({ name, simulatedSeconds });
    if (!best || seen.wallSeconds < best.wallSeconds) best = seen;
  }
  return best;
}

/** ns per event for a curve's point. */
async function nsPerEvent(native, { name, from, to }, runs) {
  const [short, long] = [
    await fastest(native, name, from, runs),
    await fastest(native, name, to, runs),
  ];
  return (1e9 * (long.wallSeconds - short.wallSeconds)) / (long.count - short.count);
}

async function series(native, points, name, runs, measure) {
  const measured = [];
  for (const point of points) measured.push([point.x, await measure(native, point, runs)]);
  note(`${name}: ${measured.map(([x, ns]) => `${x}: ${Math.round(ns)} ns`).join(', ')}`);
  return { name, points: measured };
}

async function lengthNs(native, { name, x }, runs) {
  const seen = await fastest(native, name, x, x > 600 ? 1 : runs);
  return (1e9 * seen.wallSeconds) / seen.count;
}

function table({ x, series: all }) {
  const head = [x, ...all.map(({ name }) => name)];
  const rows = all[0].points.map(([at], i) => [
    at.toLocaleString('en'),
    ...all.map(({ points }) => `${Math.round(points[i][1])} ns`),
  ]);
  const foot = ['exponent', ...all.map(({ points }) => exponent(points).toFixed(2))];
  const lines = [head, head.map(() => '---:'), ...rows, foot];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function page(curves, runs) {
  const parts = curves.map(
    (curve) => `## ${curve.title}\n\n![${curve.title}](scaling-${curve.id}.svg)\n\n${table(curve)}`,
  );
  return `# How the time for an event grows

Written by \`npm run measure scaling\`, on ${os.cpus()[0]?.model.trim() ?? 'a machine'} with ${os.cpus().length} CPUs, native release build without a
profile, fastest of ${runs}. An event is what the simulation handles at an instant: a tick that matters, a switch, a wake-up. The
exponent is the slope of the logarithms: 0 is a time that does not depend on the size, 1 one that is proportional to it.

All threads are hogs, on a machine with two contexts to a core and one shared cache; BFS and CFS have 1000 ticks a second. Runs of
the page keep histories, which are finest at the start: that is why their first seconds cost most.

${parts.join('\n\n')}
`;
}

await runIfEntry(import.meta.url, async (args) => {
  const runs = countOption(args, '--runs', 5);
  const chosen = option(args, '--scheduler', { all: true });
  const ids = chosen.length > 0 ? chosen : ['bfs', 'cfs', 'ule'];
  const native = new BenchAlone(await buildReleased('timeslice-bench'));
  heading('Scaling');
  const curves = [];
  for (const curve of CURVES) {
    note(curve.title);
    const all = [];
    for (const id of ids) all.push(await series(native, curve.points(id), id, runs, nsPerEvent));
    curves.push({ ...curve, series: all });
  }
  note(LENGTHS.title);
  const all = [];
  for (const [id, name] of Object.entries(LENGTHS.rows)) {
    const points = LENGTHS.seconds.map((x) => ({ x, name }));
    all.push(await series(native, points, id, runs, lengthNs));
  }
  curves.push({ ...LENGTHS, series: all });
  for (const { id, title, x, series: lines } of curves) {
    const chart = lineChart({ title, x, y: 'ns for an event', series: lines });
    writeFileSync(inRoot('docs', `scaling-${id}.svg`), chart);
  }
  writeFileSync(inRoot('docs', 'scaling.md'), page(curves, runs));
  note('written: docs/scaling.md');
});
