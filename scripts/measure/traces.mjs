// npm run measure traces: how fast a trace of a real machine is read, native and as the page reads it, and with how much
// memory of WebAssembly.
//   node scripts/measure/traces.mjs [--mb N] [--runs N] [--from S --to S] [--package FOLDER]
// The trace is made (scripts/lib/trace-text.mjs), 100 MB unless told. `reading` is the time in which the core takes the pieces
// of the file; `the rest` makes the scenario of it, where it is not too long for one. The fastest of three runs counts.
// Another package of the core (`--package`) is measured in turns with the page's own, so that their ratio holds.
import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { loadWasm } from '../lib/load-wasm.mjs';
import { main } from '../lib/entry.mjs';
import { Failure, heading, note } from '../lib/log.mjs';
import { buildReleased } from '../lib/native.mjs';
import { countOption, option } from '../lib/options.mjs';
import { cache, wasmPackage } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';
import { traceText } from '../lib/trace-text.mjs';

/** Pieces as browsers give them. */
const PIECE = 256 * 1024;

/** The file of a made trace. */
function madeFile(megabytes) {
  const file = path.join(cache, `trace-${megabytes}.txt`);
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  const out = openSync(file, 'w');
  for (const piece of traceText(megabytes * 1e6)) writeSync(out, piece);
  closeSync(out);
  return file;
}

const seconds = (begin) => (performance.now() - begin) / 1_000;

/** Reads the file once as the page does: `{ reading, rest, memory, refused }`. */
async function inWasm(file, folder, part) {
  const core = await loadWasm(folder);
  const { memory } = await core.default();
  const reader = new core.TraceReader(...part);
  const input = openSync(file, 'r');
  const piece = new Uint8Array(PIECE);
  let [reading, bytes] = [0, 0];
  for (let length = 1; length > 0 && !reader.is_over();) {
    length = readSync(input, piece);
    bytes += length;
    const begin = performance.now();
    reader.push(piece.subarray(0, length));
    reading += seconds(begin);
  }
  closeSync(input);
  const held = memory.buffer.byteLength;
  const begin = performance.now();
  let refused = '';
  try {
    reader.finish('trace', true);
  } catch (error) {
    refused = JSON.parse(error.message).message;
  }
  return { bytes, reading, rest: seconds(begin), held, memory: memory.buffer.byteLength, refused };
}

const speed = (bytes, s) => `${(bytes / 1e6 / s).toFixed(0)} MB/s`;
const row = (...cells) =>
  note(
    cells[0].padEnd(28) +
      cells
        .slice(1)
        .map((c) => c.padStart(14))
        .join(''),
  );

await main(async () => {
  const args = process.argv.slice(2);
  const runs = countOption(args, '--runs', 3);
  const file = madeFile(countOption(args, '--mb', 100));
  const bytes = statSync(file).size;
  const [from, to] = [option(args, '--from'), option(args, '--to')];
  const part = [Number(from ?? 0) * 1e9, to === undefined ? Infinity : Number(to) * 1e9];
  const other = option(args, '--package');
  // A program that is built already may stand in: its speed is then that of its build.
  const program = process.env.TIMESLICE_PROGRAM ?? (await buildReleased('timeslice'));
  const sides = [
    ...(other === undefined ? [] : [{ name: `WASM of ${other}`, folder: other }]),
    { name: 'WASM', folder: wasmPackage },
  ];
  const best = new Map();
  const keep = (name, found) => {
    const before = best.get(name);
    if (!before || found.reading < before.reading) best.set(name, found);
  };
  for (let i = 0; i < runs; i += 1) {
    const begin = performance.now();
    const { code, output } = await run([program, 'import', file, '--threads', '0']);
    if (code !== 0) throw new Failure(output);
    keep('native, with the program', { reading: seconds(begin) });
    for (const { name, folder } of sides) keep(name, await inWasm(file, folder, part));
  }
  heading(`A trace of ${(bytes / 1e6).toFixed(0)} MB`);
  row('', 'reading', 'speed', 'the rest', 'memory', 'at the end');
  const native = best.get('native, with the program').reading;
  for (const [name, found] of best) {
    const { reading, rest, held, memory, refused } = found;
    const size = (n) => (n === undefined ? '' : `${(n / 2 ** 20).toFixed(0)} MB`);
    const cells = [`${reading.toFixed(2)} s`, speed(found.bytes ?? bytes, reading)];
    row(name, ...cells, rest === undefined ? '' : `${rest.toFixed(2)} s`, size(held), size(memory));
    if (refused) note(`  then refused: ${refused}`);
    if (rest !== undefined) note(`  ${(reading / native).toFixed(2)} × the native time`);
  }
  if (sides.length > 1) {
    const [before, after] = sides.map(({ name }) => best.get(name).reading);
    note(`The second package reads in ${(after / before).toFixed(2)} × the time of the first.`);
  }
});
