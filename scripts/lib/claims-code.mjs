// The code that the verdict of a claim depends on: its schedulers, its experiment, and common code.
import { isFolderReadme } from './inputs.mjs';
import { filesUnder, hashFiles } from './stamp.mjs';

const schedulers = 'sim-core/schedulers/src';
const claims = 'sim-core/src/experiment/claims';
/** Folders of the schedulers by id; the others are single files, which count as common. */
const folders = {
  bfs: ['bfs'],
  cfs: ['cfs'],
  '4bsd': ['fourbsd', 'freebsd'],
  ule: ['ule', 'freebsd'],
};
const own = [...new Set(Object.values(folders).flat())].map((name) => `${schedulers}/${name}`);

/** Whether a file or folder belongs to a single experiment, e.g. `s0.rs`, `s0_runs.rs`, `s2/…`. */
const isOfExperiment = (file) => /\/claims\/(s\d|eevdf|queueing)/.test(file);

/** Not part of any run. */
const apart = new Set(
  ['tests', 'run/tests', 'cli', 'judge', 'lessons', 'wasm', 'fuzz', 'src/export', 'src/lesson'].map(
    (f) => `sim-core/${f}`,
  ),
);

const memory = new Map();
function once(key, make) {
  if (!memory.has(key)) memory.set(key, make());
  return memory.get(key);
}

const common = () =>
  once('common', () =>
    hashFiles(
      filesUnder(
        ['sim-core', 'Cargo.toml', 'Cargo.lock'],
        (file) =>
          apart.has(file) || own.includes(file) || isOfExperiment(file) || isFolderReadme(file),
      ),
    ),
  );

const ofScheduler = (id) =>
  once(`scheduler ${id}`, () =>
    hashFiles(
      filesUnder(
        (folders[id] ?? []).map((name) => `${schedulers}/${name}`),
        isFolderReadme,
      ),
    ),
  );

const ofExperiment = (id) =>
  once(`experiment ${id}`, () => {
    const word = id === 'Q' ? 'queueing' : id.toLowerCase();
    const files = filesUnder([claims]).filter((file) => file.startsWith(`${claims}/${word}`));
    return hashFiles(files);
  });

/** A hash of everything that a verdict can depend on; with equal hashes no claim needs a check. */
export const everything = () =>
  hashFiles(
    filesUnder(
      ['sim-core', 'scenarios', 'Cargo.toml', 'Cargo.lock'],
      (file) =>
        apart.has(file) || isFolderReadme(file) || /^scenarios\/(verdicts|lessons)/.test(file),
    ),
  );

/** A hash for a claim: its data and runs (`timeslice claims --inputs`) and the code. */
export const claimHash = ({ id, hash, schedulers: ids }, experiment) =>
  hashFiles([], [id, hash, common(), ofExperiment(experiment), ...ids.map(ofScheduler)].join('\n'));
