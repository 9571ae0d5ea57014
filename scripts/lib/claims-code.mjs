// The code that the verdict of a claim depends on: its schedulers, its experiment if that is code, and common code. All of
// it is read from the sources: nobody keeps a list.
import { readFileSync } from 'node:fs';
import { isFolderReadme } from './inputs.mjs';
import { inRoot } from './paths.mjs';
import { schedulerRooms } from './scheduler-rooms.mjs';
import { filesUnder, hashFiles } from './stamp.mjs';

const CLAIMS = 'sim-core/src/experiment/claims';

/** Not part of any run. */
const apart = new Set(
  ['tests', 'run/tests', 'cli', 'wasm', 'fuzz', 'src/export', 'src/lesson'].map(
    (f) => `sim-core/${f}`,
  ),
);

const memory = new Map();
function once(key, make) {
  if (!memory.has(key)) memory.set(key, make());
  return memory.get(key);
}

const rooms = () => once('rooms', schedulerRooms);

/** The code of each experiment that has some, by its id: the file or folder where its value of the type `Code` stands. */
const experiments = () =>
  once('experiments', () => {
    const found = {};
    for (const file of filesUnder([CLAIMS]).filter((name) => name.endsWith('.rs'))) {
      const text = readFileSync(inRoot(file), 'utf8');
      const [, id] = /: Code = Code \{\s*id: "(\w+)"/.exec(text) ?? [];
      if (id) found[id] = file.replace(/\/mod\.rs$/, '');
    }
    return found;
  });

/** The ids of the experiments that are data: what they are made of is in the hash of `--inputs`. */
const data = () =>
  once('data', () =>
    filesUnder(['scenarios/claims'])
      .map((file) => JSON.parse(readFileSync(inRoot(file), 'utf8')).experiment)
      .filter((id) => id !== undefined),
  );

const common = () =>
  once('common', () => {
    const own = new Set([...Object.values(rooms()).flat(), ...Object.values(experiments())]);
    const skip = (file) => apart.has(file) || own.has(file) || isFolderReadme(file);
    return hashFiles(filesUnder(['sim-core', 'Cargo.toml', 'Cargo.lock'], skip));
  });

const hashOf = (kind, id, paths) =>
  once(`${kind} ${id}`, () => {
    if (!paths) throw new Error(`No ${kind} has the id ${id}.`);
    return hashFiles(filesUnder(paths, isFolderReadme));
  });

const ofScheduler = (id) => hashOf('scheduler', id, rooms()[id]);
const ofExperiment = (id) =>
  data().includes(id) ? '' : hashOf('experiment', id, experiments()[id] && [experiments()[id]]);

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
