// npm run bench: how fast the simulation runs, native and as WebAssembly, measured in one go.
//   node scripts/bench.mjs [--seconds N] [--runs N]
// The figures are of this machine at this moment; the ratio is what travels.
import { buildWasm } from './build-wasm.mjs';
import { loadWasm } from './lib/load-wasm.mjs';
import { Failure, heading, main, note } from './lib/log.mjs';
import { option } from './lib/options.mjs';
import { cargoLocked, run } from './lib/run.mjs';
import { setUp } from './setup.mjs';

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

async function nativeBench() {
  note('native, release build …');
  const { code, output, stdout } = await run([
    ...['cargo', 'run', '--quiet', '--release', ...cargoLocked()],
    ...['-p', 'timeslice', '--', 'bench', '--json'],
  ]);
  if (code !== 0) throw new Failure(`${output}\nThe native benchmark failed.`);
  return JSON.parse(stdout);
}

/** The median wall-clock seconds of several runs, after one that warms up the compiler. */
function wasmBench(wasm, name, simulatedSeconds, runs) {
  wasm.bench(name, simulatedSeconds);
  const times = [];
  let result;
  for (let index = 0; index < runs; index += 1) {
    const begin = performance.now();
    result = JSON.parse(wasm.bench(name, simulatedSeconds));
    times.push((performance.now() - begin) / 1000);
  }
  return { ...result, wallSeconds: median(times) };
}

const eventsPerSecond = ({ events, wallSeconds }) =>
  `${(events / wallSeconds / 1e6).toFixed(2)} M/s`;

function printTable(rows) {
  const header = [
    'benchmark',
    'simulated',
    'events',
    'native',
    'WASM',
    'WASM/native time',
    'digest',
  ];
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  );
  for (const row of [header, ...rows]) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
  }
}

await main(async () => {
  const runs = Number(option(process.argv.slice(2), '--runs') ?? 5);
  await setUp();
  await buildWasm();
  heading('Benchmark');
  const native = await nativeBench();
  const wasm = await loadWasm();
  const names = JSON.parse(wasm.bench_names());
  note(`WebAssembly under Node ${process.versions.node}, median of ${runs} …`);
  let differ = 0;
  const rows = native.map((row) => {
    if (!names.includes(row.name)) throw new Failure(`WebAssembly has no benchmark ${row.name}.`);
    const other = wasmBench(wasm, row.name, row.simulatedSeconds, runs);
    const same = other.digest === row.digest;
    if (!same) differ += 1;
    return [
      row.name,
      `${row.simulatedSeconds} s`,
      String(row.events),
      eventsPerSecond(row),
      eventsPerSecond(other),
      (other.wallSeconds / row.wallSeconds).toFixed(2),
      same ? 'same' : 'DIFFERENT',
    ];
  });
  printTable(rows);
  if (differ > 0) throw new Failure('Native and WebAssembly computed different runs.');
});
