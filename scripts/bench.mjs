// npm run bench: how fast the simulation runs, native and as WebAssembly, measured in one go.
//   node scripts/bench.mjs [--runs N]
// The figures are of this machine at this moment; the ratio is what travels.
import { buildBenchWasm } from './build-wasm.mjs';
import { loadWasm } from './lib/load-wasm.mjs';
import { Failure, heading, main, note } from './lib/log.mjs';
import { option } from './lib/options.mjs';
import { benchPackage } from './lib/paths.mjs';
import { cargoLocked, run } from './lib/run.mjs';
import { setUp } from './setup.mjs';

async function nativeBench(runs) {
  note('native, release build …');
  const { code, output, stdout } = await run([
    ...['cargo', 'run', '--quiet', '--release', ...cargoLocked()],
    ...['-p', 'timeslice', '--', 'bench', '--json', '--repeat', String(runs)],
  ]);
  if (code !== 0) throw new Failure(`${output}\nThe native benchmark failed.`);
  return JSON.parse(stdout);
}

/**
 * The fastest of several runs, as on the native side: what is slower was disturbed, or ran before
 * the engine had compiled the code.
 */
function wasmBench(wasm, name, simulatedSeconds, runs) {
  let wallSeconds = Infinity;
  let result;
  for (let index = 0; index < runs; index += 1) {
    const begin = performance.now();
    result = JSON.parse(wasm.bench(name, simulatedSeconds));
    wallSeconds = Math.min(wallSeconds, (performance.now() - begin) / 1000);
  }
  return { ...result, wallSeconds };
}

/** Events, and simulated seconds, per second of wall clock. */
const speed = ({ events, simulatedSeconds, wallSeconds }) =>
  `${(events / wallSeconds / 1e6).toFixed(2)} M/s (${Math.round(simulatedSeconds / wallSeconds)}x)`;

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
  const runs = Number(option(process.argv.slice(2), '--runs') ?? 3);
  await setUp();
  await buildBenchWasm();
  heading('Benchmark');
  const native = await nativeBench(runs);
  const wasm = await loadWasm(benchPackage);
  const names = JSON.parse(wasm.bench_names());
  note(`WebAssembly under Node ${process.versions.node}, fastest of ${runs} …`);
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
      speed(row),
      speed(other),
      (other.wallSeconds / row.wallSeconds).toFixed(2),
      same ? 'same' : 'DIFFERENT',
    ];
  });
  printTable(rows);
  note('M/s: million events per second; x: simulated seconds per second');
  if (differ > 0) throw new Failure('Native and WebAssembly computed different runs.');
});
