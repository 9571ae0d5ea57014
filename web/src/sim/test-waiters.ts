/** Waiting threads of a test, read like those of a frame. */
import type { QueueRow, Waiters } from './frame';

/** Rows in the order of the queue. */
export function waitersOf(rows: readonly QueueRow[]): Waiters {
  return {
    length: rows.length,
    queue: (row) => rows[row]?.queue ?? Number.NaN,
    task: (row) => rows[row]?.task ?? Number.NaN,
    key: (row) => rows[row]?.key ?? Number.NaN,
  };
}
