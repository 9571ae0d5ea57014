// npm run measure bench: how fast the simulation runs, native and as WebAssembly, measured in one go.
//   node scripts/measure/bench.mjs [--row NAME …] [--runs N] [--seconds N] [--json]
//   node scripts/measure/bench.mjs --quick     two rows of the page, built with what CI has
// The figures are of this machine at this moment; the ratio is what travels. Native and WebAssembly take turns, so that
// whatever else the machine does hits both, and the fastest run of each counts.
import { buildBenchWasm, buildWasm } from '../build-wasm.mjs';
import { benchInWasm } from '../lib/bench-wasm.mjs';
import { loadWasm } from '../lib/load-wasm.mjs';
import { main } from '../lib/entry.mjs';
import { Failure, heading, note, sayOnStderr } from '../lib/log.mjs';
import { BenchAlone, CommandLine, buildReleased } from '../lib/native.mjs';
import { countOption, option } from '../lib/options.mjs';
import { benchPackage } from '../lib/paths.mjs';
import { setUp } from '../setup.mjs';

/** The faster of two times for the same work. */
const faster = (a, b) => (a && a.wallSeconds <= b.wallSeconds ? a : b);

/** Settings by kind: the gallery takes long, so it runs once, and processor time counts. */
const timeOf = (kind, { wallSeconds, cpuSeconds }) =>
  kind === 'gallery' ? (cpuSeconds ?? wallSeconds) : wallSeconds;

/** Rows whose ratio CI prints. */
const QUICK = [
  { name: '16x64-cfs-page', simulatedSeconds: 20 },
  { name: 'desktop-page-10s', simulatedSeconds: 10 },
];

/** The rows to measure, and a function that runs them natively. */
async function chosenRows(args) {
  if (args.includes('--quick')) {
    const native = new BenchAlone(await buildReleased('timeslice-bench'));
    const rows = await Promise.all(
      QUICK.map(async (row) => ({ ...(await native.once(row)), ...row })),
    );
    return { native, rows };
  }
  const native = new CommandLine(await buildReleased('timeslice'));
  const seconds = countOption(args, '--seconds', 0);
  const names = option(args, '--row', { all: true });
  return { native, rows: await native.rows(names, seconds) };
}

/** A row, alternately native and in WebAssembly. */
async function measure(row, { native: nativeSide, core, runs }) {
  let [native, wasm] = [null, null];
  for (let i = 0; i < (row.kind === 'gallery' ? 1 : runs); i += 1) {
    native = faster(native, await nativeSide.once(row));
    wasm = faster(wasm, benchInWasm(row, core));
  }
  const [nativeSeconds, wasmSeconds] = [timeOf(row.kind, native), timeOf(row.kind, wasm)];
  return {
    name: row.name,
    kind: row.kind,
    simulatedSeconds: row.simulatedSeconds,
    count: native.count,
    counted: native.counted,
    nativeSeconds,
    wasmSeconds,
    wasmOverNative: wasmSeconds / nativeSeconds,
    digest: native.digest,
    same: native.digest === wasm.digest,
  };
}

/** The speed in the unit of the kind. */
function speed({ kind, count, simulatedSeconds }, seconds) {
  if (kind === 'frame') return `${((1000 * seconds) / count).toFixed(3)} ms a frame`;
  if (kind === 'gallery') return `${seconds.toFixed(2)} CPU s`;
  return `${(count / seconds / 1e6).toFixed(2)} M/s (${Math.round(simulatedSeconds / seconds)}x)`;
}

function printTable(rows) {
  const header = [
    'benchmark',
    'simulated',
    'counted',
    'native',
    'WASM',
    'WASM/native time',
    'digest',
  ];
  const cells = rows.map((row) => [
    row.name,
    row.simulatedSeconds > 0 ? `${row.simulatedSeconds} s` : '',
    `${row.count} ${row.counted}`,
    speed(row, row.nativeSeconds),
    speed(row, row.wasmSeconds),
    row.wasmOverNative.toFixed(2),
    row.same ? 'same' : 'DIFFERENT',
  ]);
  const widths = header.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column].length)),
  );
  for (const row of [header, ...cells]) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** The mean of ratios. */
const geometricMean = (values) =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

await main(async () => {
  const args = process.argv.slice(2);
  const asJson = args.includes('--json');
  if (asJson) sayOnStderr();
  const runs = countOption(args, '--runs', 3);
  await setUp();
  const { native, rows } = await chosenRows(args);
  // Bare runs need the benchmarks in the package.
  const bare = rows.some((r) => r.kind === 'run');
  await (bare ? buildBenchWasm() : buildWasm());
  const core = await loadWasm(bare ? benchPackage : undefined);
  heading('Benchmark');
  note(`native and WebAssembly under Node ${process.versions.node} by turns, fastest of ${runs} …`);
  const measured = [];
  for (const row of rows) {
    measured.push(await measure(row, { native, core, runs }));
    note(`${row.name}: WASM/native time ${measured.at(-1).wasmOverNative.toFixed(2)}`);
  }
  const mean = geometricMean(measured.map((row) => row.wasmOverNative));
  if (asJson) {
    const about = { node: process.versions.node, runs, wasmOverNative: mean };
    console.log(JSON.stringify({ ...about, rows: measured }, null, 2));
  } else {
    printTable(measured);
    note('M/s: million events per second; x: simulated seconds per second');
    note(`WASM/native time, geometric mean: ${mean.toFixed(2)}`);
  }
  if (measured.some((row) => !row.same)) {
    throw new Failure('Native and WebAssembly computed different runs.');
  }
});
