/** Waiting threads that a test makes up, read as those of a frame. */
import type { QueueRow, Waiters } from './frame';

/** Rows in the order in which they wait. */
export function waitersOf(rows: readonly QueueRow[]): Waiters {
  return {
    length: rows.length,
    queue: (row) => rows[row]?.queue ?? Number.NaN,
    task: (row) => rows[row]?.task ?? Number.NaN,
    key: (row) => rows[row]?.key ?? Number.NaN,
  };
}
