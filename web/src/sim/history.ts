/** The recent past of a lane, collected from trace rows: slices, moves and wake-ups. */
import { Placings } from './placings';
import { Recent } from './recent';
import type { ReasonEntry } from './types/ReasonEntry';
import { NO_COST, type SwitchCost, TraceReader, type TraceSchema, UNKNOWN } from './trace';

/** A span of time during which a CPU had one thread (or none: −1). */
export interface Slice {
  readonly from: number;
  /** End; infinity while it lasts. */
  to: number;
  readonly task: number;
  /** Decision to run it: −1 if there was none, `UNKNOWN` if its beginning is not known. */
  readonly decision: number;
  /** Decision to run it on this CPU. */
  readonly also: number;
  /** Time at its beginning in which the thread does no work yet. */
  readonly cost: SwitchCost;
}

/** A thread that became runnable. */
export interface Wake {
  readonly atNs: number;
  readonly task: number;
  /** CPU of the thread that woke it, or −1. */
  readonly cpu: number;
  /** CPU in whose queue it then waits, −1 for the global queue. */
  readonly to: number;
  /** Decision why there. */
  readonly decision: number;
  /** Decision whether it preempts the running thread. */
  readonly also: number;
}

/** A thread that changed its CPU. */
export interface Move {
  readonly seq: number;
  readonly atNs: number;
  readonly task: number;
  readonly from: number;
  readonly to: number;
  readonly reason: ReasonEntry | null;
  /** Decision why it moved. */
  readonly decision: number;
  /** Decision why it runs now. */
  readonly also: number;
}

/** The first run of a new thread: its first place is not a move. */
export interface FirstPlace {
  readonly atNs: number;
  readonly task: number;
  readonly cpu: number;
}

const OUT_OF_SIGHT = { decision: UNKNOWN, also: UNKNOWN, cost: NO_COST };

/** Slices kept per CPU, and in all, as many as the core keeps records; older ones leave the timeline. */
const MAX_SLICES = 3_000;
const MAX_ALL_SLICES = 200_000;
const MAX_MOVES = 2_000;

/** Collects trace rows of one lane. Not reactive: it is read once per picture. */
export class History {
  readonly #schema: TraceSchema;
  readonly #reader: TraceReader;
  /** Slices kept of each CPU. */
  readonly #most: number;
  readonly cpus: number;
  readonly slices: Slice[][];
  readonly moves: Move[] = [];
  readonly wakes: Wake[] = [];
  /** The newest of them. */
  firstPlace: FirstPlace | null = null;
  /** Why threads are where they are. */
  readonly placings = new Placings();
  /** The same as plain numbers, over a longer past. */
  readonly recent: Recent;
  /** Rises when another past replaces this one. */
  generation = 0;
  /** Everything after this time is known. */
  knownFrom = 0;

  constructor(schema: TraceSchema, cpus: number) {
    this.#schema = schema;
    this.#reader = new TraceReader(schema);
    this.cpus = cpus;
    this.#most = Math.min(MAX_SLICES, Math.floor(MAX_ALL_SLICES / Math.max(1, cpus)));
    this.slices = Array.from({ length: cpus }, () => []);
    this.recent = new Recent(cpus);
  }

  /** Adds rows; `continues` is false after a jump, which makes the past invalid. */
  append(rows: Float64Array, continues: boolean): void {
    if (!continues) this.#clear(rows);
    const n = this.#schema.length(rows);
    for (let i = 0; i < n; i++) this.#add(this.#reader.go(rows, i));
  }

  /**
   * Takes the thread that runs on each CPU after the rows: after a jump, no record names a thread that never left its
   * CPU.
   */
  settle(curr: ArrayLike<number>): void {
    this.slices.forEach((list, cpu) => {
      const task = curr[cpu] ?? -1;
      if (list.length > 0 || task < 0) return;
      const to = Number.POSITIVE_INFINITY;
      list.push({ from: this.knownFrom, to, task, ...OUT_OF_SIGHT });
    });
  }

  #clear(rows: Float64Array): void {
    this.generation += 1;
    this.moves.length = 0;
    this.wakes.length = 0;
    this.firstPlace = null;
    this.placings.clear();
    for (const list of this.slices) list.length = 0;
    const first = this.#schema.length(rows) > 0 ? this.#reader.go(rows, 0) : null;
    this.knownFrom = !first || first.seq === 0 ? 0 : first.atNs;
    this.recent.clear(this.knownFrom);
  }

  #add(row: TraceReader): void {
    const { kind } = row;
    if (kind === 'switch') this.#switch(row);
    else if (kind === 'migrate') this.#move(row);
    else if (kind === 'wakeup') this.#wake(row);
    // The switch of a move has both decisions, too.
    this.placings.take(row);
  }

  #switch(row: TraceReader): void {
    const { atNs, task, cpu, other } = row;
    const list = this.slices[cpu];
    if (!list) return;
    this.recent.addSwitch(atNs, cpu, other, task);
    if (this.placings.kindOf(task) === 'fork') this.firstPlace = { atNs, task, cpu };
    const last = list.at(-1);
    if (last) last.to = atNs;
    else if (other >= 0)
      list.push({ from: this.knownFrom, to: atNs, task: other, ...OUT_OF_SIGHT });
    list.push({
      from: atNs,
      to: Number.POSITIVE_INFINITY,
      task,
      decision: row.decision,
      also: row.also,
      cost: row.cost,
    });
    if (list.length > this.#most) {
      list.splice(0, Math.ceil(this.#most / 4));
      this.knownFrom = Math.max(this.knownFrom, list[0]?.from ?? 0);
    }
  }

  #wake({ atNs, task, cpu, other: to, decision, also }: TraceReader): void {
    this.wakes.push({ atNs, task, cpu, to, decision, also });
    if (this.wakes.length > MAX_MOVES) this.wakes.splice(0, MAX_MOVES / 4);
  }

  #move({ seq, atNs, task, cpu: to, other: from, reason, decision, also }: TraceReader): void {
    this.recent.addMove(atNs, task, from, to);
    this.moves.push({ seq, atNs, task, from, to, reason, decision, also });
    if (this.moves.length > MAX_MOVES) this.moves.splice(0, MAX_MOVES / 4);
  }
}
