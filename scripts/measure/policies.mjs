// npm run measure policies: what own policies cost, native and as WebAssembly, and what a real lane beside one loses.
//   node scripts/measure/policies.mjs [--program FILE] [--only wasm] [--runs N] [--seconds N]
//       --program: a `timeslice` with own policies that is built already, else one is built for release
//       --only wasm: no native program
// Native and WebAssembly take turns, and the fastest run of each counts: the figures are of this machine at this moment.
import { rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { buildPolicyWasm, buildWasm } from '../build-wasm.mjs';
import { loadWasm } from '../lib/load-wasm.mjs';
import { main } from '../lib/entry.mjs';
import { Failure, heading, note } from '../lib/log.mjs';
import { buildReleased } from '../lib/native.mjs';
import { countOption, option } from '../lib/options.mjs';
import { policyPackage } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';

const ERAS = [
  ...['roundRobin', 'fifo', 'lottery', 'stride', 'mlfq', 'oneQueue', 'workStealing'],
  ...['cfs40', 'ule40'],
];

/** As in the page: 8 CPUs, as many hogs as typists. */
const crowd = (schedulers, seconds) => ({
  version: 2,
  name: '64 threads on 8 CPUs',
  machine: 'i7860',
  schedulers,
  groups: [
    { name: 'hog', count: 32, behaviour: { kind: 'compute' } },
    { name: 'typist', count: 32, behaviour: { kind: 'interactive' } },
  ],
  end: { atNs: seconds * 1e9 },
});

/** Stride without slices of its own: a pick each 100 us, among so many. What else it does is not worth mentioning. */
const PICKS = `thread_state("stride_pass", 0)

def ran(t, time):
    t.stride_pass += time * 1024 // t.weight

def pick(cpu):
    return min(cpu.waiting, key=lambda t: t.stride_pass)

def slice(t):
    return 100 * us
`;
const picks = (waiting, seconds) => ({
  version: 2,
  name: 'picks',
  machine: 'mc1',
  schedulers: [{ id: 'own', program: PICKS }],
  groups: [{ name: 'hog', count: waiting + 1, behaviour: { kind: 'compute' } }],
  end: { atNs: seconds * 1e9 },
});

/** Seconds that a program takes for a scenario, less those for a tiny part of it: starting and reading. */
async function native(program, scenario) {
  const file = path.join(os.tmpdir(), `timeslice-measure-${process.pid}.json`);
  const timed = async (of) => {
    writeFileSync(file, JSON.stringify(of));
    const began = performance.now();
    const { code, output } = await run([program, 'run', file]);
    if (code !== 0) throw new Failure(output);
    return (performance.now() - began) / 1000;
  };
  try {
    const whole = await timed(scenario);
    return whole - (await timed({ ...scenario, end: { atNs: 1e6 } }));
  } finally {
    rmSync(file, { force: true });
  }
}

/** Seconds of processor time: what else the computer does meanwhile counts less. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Seconds that each lane takes in a package, in turns of 20 ms as the page takes them. */
function inWasm(core, scenario) {
  const plan = new core.Plan(JSON.stringify(scenario));
  const lanes = scenario.schedulers.map((_, i) => plan.lane(i));
  const spent = lanes.map(() => 0);
  for (let at = 2e7; at <= scenario.end.atNs; at += 2e7)
    lanes.forEach((lane, i) => {
      const began = processorTime();
      while (lane.advance(at, 1e9) < at && !lane.is_finished());
      spent[i] += processorTime() - began;
    });
  const faults = lanes.map((lane) => lane.fault()).filter((text) => text !== 'null' && text !== '');
  lanes.forEach((lane) => lane.free());
  plan.free();
  if (faults.length > 0) throw new Failure(faults.join('\n'));
  return spent;
}

/** The fastest of some runs of several things, which take turns. */
async function fastest(runs, things) {
  const best = things.map(() => Infinity);
  for (let i = 0; i < runs; i++)
    for (const [n, thing] of things.entries()) best[n] = Math.min(best[n], await thing());
  return best;
}

const figure = (x) => (x < 10 ? x.toFixed(1) : x.toFixed(0));

await main(async () => {
  const args = process.argv.slice(2);
  const runs = countOption(args, '--runs', 3);
  const seconds = countOption(args, '--seconds', 10);
  const only = option(args, '--only');
  const program =
    only === 'wasm'
      ? undefined
      : (option(args, '--program') ?? (await buildReleased('timeslice', ['policy'])));
  await buildWasm();
  await buildPolicyWasm();
  const [plain, core] = [await loadWasm(), await loadWasm(policyPackage)];
  heading(`Own policies: ${os.cpus()[0]?.model ?? 'a processor'}, ${os.cpus().length} CPUs`);

  const ways = [
    ...(program ? [{ name: 'native', run: (of) => native(program, of) }] : []),
    { name: 'WebAssembly', run: (of) => inWasm(core, of)[0] },
  ];
  const cells = (texts) =>
    texts
      .map((text) => text.padEnd(12))
      .join('')
      .trimEnd();
  const head = (what) => note(`${what.padEnd(34)} ${cells(ways.map(({ name }) => name))}`);
  /** A row: what each way takes for a scenario, as a figure. */
  const row = async (name, of, told) => {
    const best = await fastest(
      runs,
      ways.map((way) => () => way.run(of)),
    );
    note(`${name.padEnd(34)} ${cells(best.map(told))}`);
  };

  head('simulated seconds a second');
  const rate = (s) => figure(seconds / s);
  for (const era of ERAS) await row(era, crowd([{ id: 'own', era }], seconds), rate);
  for (const id of ['cfs', 'ule']) await row(id, crowd([{ id }], seconds), rate);
  head('us for each pick, all included');
  for (const waiting of [2, 8, 32])
    await row(`${waiting} waiting`, picks(waiting, 2), (s) => ((s * 1e6) / 20_000).toFixed(2));

  const real = { id: 'cfs' };
  const [alone, other, beside] = await fastest(2 * runs, [
    () => inWasm(plain, crowd([real], seconds))[0],
    () => inWasm(core, crowd([real], seconds))[0],
    () => inWasm(core, crowd([real, { id: 'own', era: 'stride' }], seconds))[0],
  ]);
  note(`CFS in the package with own policies: ${figure(100 * (other / alone - 1))} % more time`);
  note(`CFS beside stride as a program: ${figure(100 * (beside / alone - 1))} % more time`);
});
