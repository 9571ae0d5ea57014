// The benchmarks of `npm run measure bench` with the page's packages, under Node.
import { readFileSync } from 'node:fs';

/** The core's hash of numbers (`ground/src/hash.rs`); all values that are not numbers are the same. */
export function hashNumbers(values, start = 0xcbf29ce484222325n) {
  const bits = new BigUint64Array(Float64Array.from(values).buffer);
  let hash = start;
  values.forEach((value, i) => {
    const word = Number.isNaN(value) ? 2n ** 64n - 1n : bits[i];
    const mixed = BigInt.asUintN(64, (hash ^ word) * 0x100000001b3n);
    hash = mixed ^ (mixed >> 29n);
  });
  return hash;
}

const text = (hash) => hash.toString(16).padStart(16, '0');

/** Processor seconds of this thread; elapsed seconds where the system does not say. */
export function cpuSeconds() {
  try {
    const [ns] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
    return Number(ns) / 1e9;
  } catch {
    return performance.now() / 1000;
  }
}

/** The result of `work`, and its duration. */
function timed(work) {
  const [wall, cpu] = [performance.now(), cpuSeconds()];
  const result = work();
  return {
    result,
    wallSeconds: (performance.now() - wall) / 1000,
    cpuSeconds: cpuSeconds() - cpu,
  };
}

/** Frees memory of WebAssembly after use. */
function using(thing, work) {
  try {
    return work(thing);
  } finally {
    thing.free();
  }
}

/** A bare run, with the package that contains the benchmarks. */
function run(core, { name, simulatedSeconds }) {
  return using(new core.Bench(name, simulatedSeconds), (bench) => {
    const { result, ...times } = timed(() => JSON.parse(bench.run()));
    return { ...times, digest: result.digest };
  });
}

/** A lane of the page, run to its end. */
function page(core, { scenario }) {
  return using(new core.Plan(scenario), (plan) => {
    const { result: lane, ...times } = timed(() => {
      const lane = plan.lane(0);
      while (!lane.is_finished()) lane.advance(lane.end_ns(), 2 ** 32 - 1);
      return lane;
    });
    return using(lane, () => ({ ...times, digest: lane.digest() }));
  });
}

/** Pictures of a lane's present, as the page gets them, including the copy out of the memory. */
function frame(core, { scenario, simulatedSeconds }) {
  return using(new core.Plan(scenario), (plan) =>
    using(plan.lane(0), (lane) => {
      while (lane.now() < 1e9) lane.advance(1e9, 2 ** 32 - 1);
      const { result, ...times } = timed(() => {
        let picture;
        for (let i = 0; i < 60 * simulatedSeconds; i += 1) picture = lane.frame();
        return picture;
      });
      return { ...times, digest: text(hashNumbers(result)) };
    }),
  );
}

/** The pages of an experiment with one seed, including the judge's figures. */
function gallery(core, { experiment }) {
  return using(new core.Judge(1, 60), (judge) => {
    const { result, ...times } = timed(() => {
      const all = [];
      for (const { id } of JSON.parse(judge.pages()).filter((p) => p.experiment === experiment)) {
        for (const { key, scenario, columns, at } of JSON.parse(judge.runs(id, ''))) {
          const seen = using(core.run(scenario, columns, Float64Array.from(at)), (s) => ({
            columns: s.columns,
            values: s.values,
          }));
          judge.add(key, seen.columns.join('\n'), seen.values);
          all.push(seen.values);
        }
        judge.evaluate(id);
      }
      return all;
    });
    return { ...times, digest: text(result.reduce((hash, v) => hashNumbers(v, hash), undefined)) };
  });
}

const KINDS = { run, page, frame, gallery };

/** Runs a benchmark once: `{ wallSeconds, cpuSeconds, digest }`. */
export const benchInWasm = (row, core) => KINDS[row.kind](core, row);
