// Which room of the engine names which. Rooms are folders of one crate, so Cargo does not look.

/** A path that begins at the crate or above: `crate::kernel::Task`, `super::super::clockwork`, `use crate::{hardware, …}`. */
const PATH = /\b(?:crate|super)::((?:super::)*)(\{[^;]*\}|\w+)/g;

const withoutComments = (rust) => rust.replaceAll(/\/\/[^\n]*/g, '');

/** Names that follow `crate::` or `super::` in some Rust; those within a group as well. */
const namesIn = (rust) =>
  [...withoutComments(rust).matchAll(PATH)].flatMap(([, , names]) => names.match(/\w+/g) ?? []);

/** The run, which owns all rooms: who has it reaches each of them by its fields and methods, without a path. */
const RUN = /\b(?:Sim|UpToDate)\b/;

/**
 * What a file of a room names and may not. `rooms`: room → rooms that it may name, besides itself, and
 * `Sim` if it may name the run.
 */
export function engineProblems(file, rust, rooms) {
  const [room] = file.split('/');
  const allowed = rooms[room];
  if (!allowed) return [];
  const named = new Set(namesIn(rust).filter((name) => name in rooms && name !== room));
  if (RUN.test(withoutComments(rust))) named.add('Sim');
  return [...named]
    .filter((name) => !allowed.includes(name))
    .map((name) => ({
      id: `${file} -> ${name}`,
      why: `the engine's ${room} may name ${allowed.join(', ') || 'no other room'}`,
    }));
}

/** Rooms that reach themselves along what they may name: a table with a circle allows one. */
export function circlesOf(rooms) {
  const reaches = (from, seen = new Set()) => {
    for (const next of rooms[from] ?? [])
      if (!seen.has(next)) {
        seen.add(next);
        reaches(next, seen);
      }
    return seen;
  };
  return Object.keys(rooms).filter((room) => reaches(room).has(room));
}
