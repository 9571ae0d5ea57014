/** Read-only access to a frame of the core by column name. */
import { Columns } from '../lib/columns';
import type { Catalog } from './types/Catalog';
import type { LaneColumns } from './types/LaneColumns';

/** States of a CPU. */
export const CpuState = { idle: 0, running: 1, overhead: 2, signalled: 3 } as const;

/** States of a thread. */
export const TaskState = {
  notStarted: 0,
  running: 1,
  queued: 2,
  sleeping: 3,
  finished: 4,
  /** Stopped by an edit: it stays blocked until an edit resumes it. */
  stopped: 5,
} as const;

/** Where the columns of one scheduler's frames are. */
export class FrameSchema {
  readonly header: Columns;
  readonly cpu: Columns;
  readonly task: Columns;
  readonly queue: Columns;
  readonly causes: readonly string[];
  /** Columns of each cause's part of the time now, in the same order. */
  readonly nowOf: readonly string[];

  /** `own`: the columns of the lane, where a program declares them. */
  constructor(catalog: Catalog, scheduler: string, own?: LaneColumns | null) {
    const entry = catalog.schedulers.find((s) => s.id === scheduler);
    const cpuColumns = own?.cpu ?? entry?.cpuColumns ?? [];
    const taskColumns = own?.task ?? entry?.taskColumns ?? [];
    this.causes = catalog.causes.map((c) => c.id);
    this.nowOf = this.causes.map((c) => `now:${c}`);
    this.header = new Columns(catalog.frame.header);
    this.cpu = new Columns([...catalog.frame.cpu, ...cpuColumns.map((c) => c.id)]);
    // The causes come twice: as part of the time now, and as the sum so far.
    this.task = new Columns([
      ...catalog.frame.task,
      ...this.nowOf,
      ...this.causes.map((c) => `sum:${c}`),
      ...taskColumns.map((c) => c.id),
    ]);
    this.queue = new Columns(catalog.frame.queue);
  }
}

/** A waiting thread and its place in a queue. */
export interface QueueRow {
  /** CPU of the queue, −1 for the global one. */
  readonly queue: number;
  readonly task: number;
  /** The value that orders the queue. */
  readonly key: number;
  readonly position: number;
  /** Part of the queue, by its position in `QueueShape`. */
  readonly part: number;
  /** List of the part: level, slot, or number of the tree. */
  readonly place: number;
}

/** The waiting threads, queue by queue in order. A row is read in place; no object is made for it. */
export interface Waiters {
  readonly length: number;
  /** CPU of the queue of a row, −1 for the global one. */
  queue(row: number): number;
  task(row: number): number;
  /** The value that orders the queue. */
  key(row: number): number;
}

/** One frame. Columns are views of the same buffer: nothing is copied. */
export class Frame {
  readonly schema: FrameSchema;
  readonly #data: Float64Array;
  readonly #header: number;
  readonly cpus: number;
  readonly tasks: number;
  readonly queueRows: number;
  readonly #cpuColumns: number;
  readonly #taskColumns: number;
  readonly #queueColumns: number;
  readonly #cpuCache = new Map<string, Float64Array>();
  readonly #taskCache = new Map<string, Float64Array>();
  #queue: readonly QueueRow[] | null = null;
  #waiters: Waiters | null = null;

  constructor(schema: FrameSchema, data: Float64Array) {
    this.schema = schema;
    this.#data = data;
    this.#header = schema.header.names.length;
    this.cpus = this.head('cpus');
    this.tasks = this.head('tasks');
    this.queueRows = this.head('queueRows');
    this.#cpuColumns = this.head('cpuColumns');
    this.#taskColumns = this.head('taskColumns');
    this.#queueColumns = this.head('queueColumns');
    const expected =
      this.#header +
      this.#cpuColumns * this.cpus +
      this.#taskColumns * this.tasks +
      this.#queueColumns * this.queueRows;
    if (expected !== data.length) {
      throw new Error(`a frame of ${String(data.length)} numbers, ${String(expected)} expected`);
    }
  }

  /** A header field. */
  head(name: string): number {
    return this.#data[this.schema.header.at(name)] ?? Number.NaN;
  }

  /** Simulated time of the frame. */
  get nowNs(): number {
    return this.head('nowNs');
  }

  /** A column with one value per CPU. */
  cpu(name: string): Float64Array {
    let column = this.#cpuCache.get(name);
    if (!column) {
      column = this.#column(this.schema.cpu.at(name), this.#header, this.cpus);
      this.#cpuCache.set(name, column);
    }
    return column;
  }

  /** A column with one value per thread. */
  task(name: string): Float64Array {
    let column = this.#taskCache.get(name);
    if (!column) {
      const start = this.#header + this.#cpuColumns * this.cpus;
      column = this.#column(this.schema.task.at(name), start, this.tasks);
      this.#taskCache.set(name, column);
    }
    return column;
  }

  /** A CPU column, or null when this core has none with that name. */
  cpuIfAny(name: string): Float64Array | null {
    return this.schema.cpu.find(name) < 0 ? null : this.cpu(name);
  }

  /** A thread column, or null when this scheduler has none with that name. */
  taskIfAny(name: string): Float64Array | null {
    return this.schema.task.find(name) < 0 ? null : this.task(name);
  }

  /** All waiting threads, queue by queue in order, for painting 60 times a second. */
  waiters(): Waiters {
    this.#waiters ??= new FrameWaiters(
      this.#data.subarray(this.#queueStart),
      this.queueRows,
      this.schema.queue,
    );
    return this.#waiters;
  }

  get #queueStart(): number {
    return this.#header + this.#cpuColumns * this.cpus + this.#taskColumns * this.tasks;
  }

  /** The same as objects with all that is known of each, for views that show one queue. */
  queue(): readonly QueueRow[] {
    if (this.#queue) return this.#queue;
    const start = this.#queueStart;
    const { queue } = this.schema;
    const [q, t, k, p, part, place] = [
      queue.at('queue'),
      queue.at('task'),
      queue.at('key'),
      queue.at('position'),
      queue.at('part'),
      queue.at('place'),
    ];
    const rows: QueueRow[] = [];
    for (let i = 0; i < this.queueRows; i++) {
      const at = start + i * this.#queueColumns;
      const value = (column: number) => this.#data[at + column] ?? Number.NaN;
      rows.push({
        queue: value(q),
        task: value(t),
        key: value(k),
        position: value(p),
        part: value(part),
        place: value(place),
      });
    }
    this.#queue = rows;
    return rows;
  }

  #column(index: number, start: number, length: number): Float64Array {
    const from = start + index * length;
    return this.#data.subarray(from, from + length);
  }
}

/** The waiting threads of a frame. */
class FrameWaiters implements Waiters {
  readonly length: number;
  readonly #rows: Float64Array;
  readonly #width: number;
  readonly #queue: number;
  readonly #task: number;
  readonly #key: number;

  constructor(rows: Float64Array, length: number, columns: Columns) {
    this.length = length;
    this.#rows = rows;
    this.#width = columns.names.length;
    this.#queue = columns.at('queue');
    this.#task = columns.at('task');
    this.#key = columns.at('key');
  }

  queue(row: number): number {
    return this.#rows[row * this.#width + this.#queue] ?? Number.NaN;
  }

  task(row: number): number {
    return this.#rows[row * this.#width + this.#task] ?? Number.NaN;
  }

  key(row: number): number {
    return this.#rows[row * this.#width + this.#key] ?? Number.NaN;
  }
}
