// The code that the verdict of a claim depends on: its schedulers, and common code. All of it is read from the sources:
// nobody keeps a list.
import { coreContent, isFolderReadme } from './inputs.mjs';
import { schedulerRooms } from './scheduler-rooms.mjs';
import { filesUnder, hashFiles } from './stamp.mjs';

/** Not part of any run of a claim: tests, doors to the simulation, traces, own policies. */
const apart = new Set(
  [
    ...['tests', 'run/tests', 'import/tests', 'retrace/tests', 'fuzz', 'bench'],
    ...['cli', 'wasm', 'host', 'python', 'real', 'import', 'retrace', 'policy', 'watch'],
    ...['src/export', 'src/lesson'],
  ].map((f) => `sim-core/${f}`),
);

const memory = new Map();
function once(key, make) {
  if (!memory.has(key)) memory.set(key, make());
  return memory.get(key);
}

const rooms = () => once('rooms', schedulerRooms);

const common = () =>
  once('common', () => {
    const own = new Set(Object.values(rooms()).flat());
    const skip = (file) => apart.has(file) || own.has(file) || isFolderReadme(file);
    return hashFiles(filesUnder(['sim-core', 'Cargo.toml', 'Cargo.lock'], skip), '', coreContent);
  });

const ofScheduler = (id) =>
  once(id, () => {
    const paths = rooms()[id];
    if (!paths) throw new Error(`No scheduler has the id ${id}.`);
    return hashFiles(filesUnder(paths, isFolderReadme), '', coreContent);
  });

/** A hash of everything that a verdict can depend on; with equal hashes no claim needs a check. */
export const everything = () =>
  hashFiles(
    filesUnder(
      ['sim-core', 'scenarios', 'Cargo.toml', 'Cargo.lock'],
      (file) =>
        apart.has(file) || isFolderReadme(file) || /^scenarios\/(verdicts|lessons)/.test(file),
    ),
    '',
    coreContent,
  );

/** A hash for a claim: its data and runs (`timeslice claims --inputs`) and the code. */
export const claimHash = ({ hash, id, schedulers: ids }) =>
  hashFiles([], [id, hash, common(), ...ids.map(ofScheduler)].join('\n'));
