/** Read-only access to states at regular times: totals of the core, and rates between them. */

/** A share or rate over time: one value for each span between two times. */
export interface Series {
  readonly times: readonly number[];
  /** One less than times. */
  readonly values: readonly number[];
}

/** Totals of a thread. */
export interface TaskTotal {
  /** CPU time in ns. */
  readonly runNs: number;
  /** Work in ns at full speed. */
  readonly workNs: number;
  readonly switches: number;
  readonly migrations: number;
}

/** Positions of values in a row. */
export interface SampleLayout {
  readonly causes: number;
  readonly groups: number;
  readonly cpus: number;
}

/** An answer of the core; see its `Lane.samples`. */
export class Samples {
  readonly #data: Float64Array;
  readonly #layout: SampleLayout;
  readonly #width: number;
  /** Column of the queue of the first CPU. */
  readonly #firstQueue: number;
  /** Threads that were requested, in order. */
  readonly tasks: readonly number[];
  /** Times of the rows. */
  readonly times: readonly number[];

  constructor(data: Float64Array, layout: SampleLayout, tasks: readonly number[]) {
    this.#data = data.subarray(1);
    this.#layout = layout;
    this.#width = data[0] ?? 1;
    this.#firstQueue = 1 + layout.causes + layout.groups + 1;
    this.tasks = tasks;
    const n = Math.floor(this.#data.length / this.#width);
    this.times = Array.from({ length: n }, (_, i) => this.#at(i, 0));
  }

  #at(row: number, column: number): number {
    return this.#data[row * this.#width + column] ?? Number.NaN;
  }

  #rate(column: number, of: (row: number) => number): Series {
    const values: number[] = [];
    for (let i = 1; i < this.times.length; i++) {
      const grew = this.#at(i, column) - this.#at(i - 1, column);
      // A thread that did not exist yet had no CPU time.
      const whole = Number.isNaN(this.#at(i - 1, column)) ? this.#at(i, column) : grew;
      const over = of(i);
      values.push(over > 0 && Number.isFinite(whole) ? Math.max(0, whole / over) : 0);
    }
    return { times: this.times, values };
  }

  #elapsed(row: number): number {
    return (this.times[row] ?? 0) - (this.times[row - 1] ?? 0);
  }

  /** CPUs that a group had, over time. */
  groupShare(group: number): Series {
    return this.#rate(1 + this.#layout.causes + group, (i) => this.#elapsed(i));
  }

  /** Rows. */
  get count(): number {
    return this.times.length;
  }

  /** Waiting threads of a CPU's queue (−1: the global one) at each time. */
  waiting(cpu: number): number[] {
    return this.times.map((_, i) => this.waitingAt(i, cpu));
  }

  /** The same at the time of one row. */
  waitingAt(row: number, cpu: number): number {
    return this.#at(row, this.#firstQueue + cpu);
  }

  #task(index: number): number {
    const { causes, groups, cpus } = this.#layout;
    const head = 1 + causes + groups + 1 + cpus;
    const each = (this.#width - head) / Math.max(1, this.tasks.length);
    return head + index * each;
  }

  /** Part of a CPU that a thread had. */
  taskShare(task: number): Series {
    return this.#rate(this.#task(this.tasks.indexOf(task)), (i) => this.#elapsed(i));
  }

  /** Part of CPU time that a cause took, for a thread or for the whole workload (null). */
  causeShare(cause: number, task: number | null): Series {
    const first = task === null ? 1 : this.#task(this.tasks.indexOf(task)) + 2;
    const sum = (i: number) => {
      let ns = 0;
      for (let c = 0; c < this.#layout.causes; c++)
        ns += (this.#at(i, first + c) || 0) - (this.#at(i - 1, first + c) || 0);
      return ns;
    };
    return this.#rate(first + cause, sum);
  }

  /** Totals of a thread at the time of a row; zeros before it began. */
  total(task: number, row = 0): TaskTotal {
    const first = this.#task(this.tasks.indexOf(task));
    const counts = first + 2 + this.#layout.causes;
    const read = (column: number) => this.#at(row, column) || 0;
    return {
      runNs: read(first),
      workNs: read(first + 1),
      switches: read(counts),
      migrations: read(counts + 1),
    };
  }

  /** Total CPU time of a group at the time of a row. */
  groupTotal(group: number, row = 0): number {
    return this.#at(row, 1 + this.#layout.causes + group) || 0;
  }

  /** A column of the scheduler for a thread, at each time. */
  own(task: number, column: number): number[] {
    const at = this.#task(this.tasks.indexOf(task)) + 4 + this.#layout.causes + column;
    return this.times.map((_, i) => this.#at(i, at));
  }
}
