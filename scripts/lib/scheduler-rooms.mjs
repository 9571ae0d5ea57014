// Which files a scheduler is made of, read from its sources: its own file or folder, and the rooms that it shares with
// others (`linux`, `freebsd`), found by what it imports. So nobody keeps a list.
import { readFileSync, readdirSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { filesUnder } from './stamp.mjs';

const SOURCES = 'sim-core/schedulers/src';
const read = (file) => readFileSync(inRoot(file), 'utf8');

/** Files of a room: `bfs/…` is a folder, `fifo.rs` a file. */
const filesOf = (room) =>
  filesUnder([`${SOURCES}/${room}`, `${SOURCES}/${room}.rs`]).filter((f) => f.endsWith('.rs'));

/** The names of all rooms below the sources, without the crate's own files. */
const allRooms = () =>
  readdirSync(inRoot(SOURCES))
    .map((name) => name.replace(/\.rs$/, ''))
    .filter((name) => !['lib', 'README.md'].includes(name));

/** A room, and the rooms that it imports, directly or through others. */
function reached(room, rooms, found = new Set()) {
  if (found.has(room)) return found;
  found.add(room);
  for (const file of filesOf(room))
    for (const [, name] of read(file).matchAll(/\b(?:crate|super)::([a-z]\w*)/g))
      if (rooms.includes(name)) reached(name, rooms, found);
  return found;
}

/**
 * The paths of each scheduler by its id, as `{ ule: ['sim-core/schedulers/src/freebsd', …] }`. A scheduler is what the
 * registry lists.
 */
export function schedulerRooms() {
  const rooms = allRooms();
  const named = [...read(`${SOURCES}/lib.rs`).matchAll(/&(?:crate::)?(\w+)::INFO/g)].map(
    ([, r]) => r,
  );
  // Own policies are a crate of their own, which few builds have.
  const listed = named.filter((room) => rooms.includes(room));
  return Object.fromEntries(
    listed.map((room) => {
      const [, id] = filesOf(room)
        .map((file) =>
          /static INFO: SchedulerInfo = SchedulerInfo \{\s*id: "([\w-]+)"/.exec(read(file)),
        )
        .find(Boolean);
      const paths = [...reached(room, rooms)].sort().map((name) => `${SOURCES}/${name}`);
      // A room is a folder or a file.
      return [
        id,
        paths.map((path) => (filesUnder([`${path}.rs`]).length > 0 ? `${path}.rs` : path)),
      ];
    }),
  );
}
