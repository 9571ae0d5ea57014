/**
 * Recent switches and moves as plain numbers, so that sums over a span of time are exact, however much happened in
 * it.
 */

/** Events in a span of time. */
export interface Tally {
  /** The span; it begins later than requested where less is known. */
  readonly fromNs: number;
  readonly toNs: number;
  /** By CPU: the ns that each thread had it. */
  readonly had: readonly ReadonlyMap<number, number>[];
  /** Changes of thread by CPU. */
  readonly switches: Float64Array;
  /** Moves of the workload's threads from one CPU to another. */
  readonly pairs: readonly { readonly from: number; readonly to: number; readonly count: number }[];
  /** The same by thread. */
  readonly movesOf: ReadonlyMap<number, number>;
  /** Their sum. */
  readonly moves: number;
  /** Moves of background threads; no other number includes them. */
  readonly daemonMoves: number;
  /** Median of the slices of the workload's threads in ns; infinite if there is none. */
  readonly sliceNs: number;
}

/** Entries kept; enough for a hundred seconds of eight busy CPUs. */
const MOST = 1 << 18;
const FIRST = 1 << 10;
/** Most slices for a median. */
const MOST_SLICES = 4_096;

/** The recent past of one lane. */
export class Recent {
  readonly #cpus: number;
  #at = new Float64Array(FIRST);
  #cpu = new Int32Array(FIRST);
  #task = new Int32Array(FIRST);
  /** Of a switch, the thread before it; of a move, the CPU that the thread came from. */
  #other = new Int32Array(FIRST);
  #isMove = new Uint8Array(FIRST);
  /** Entries so far; entry `i` is at `i` modulo the capacity. */
  #end = 0;
  #begin = 0;
  #knownFrom = 0;

  constructor(cpus: number) {
    this.#cpus = cpus;
  }

  /** Forgets everything; the past is known from `fromNs` on. */
  clear(fromNs: number): void {
    this.#begin = this.#end = 0;
    this.#knownFrom = fromNs;
  }

  /** A CPU went from one thread to another; −1 is none. */
  addSwitch(atNs: number, cpu: number, before: number, task: number): void {
    this.#add(atNs, cpu, task, before, 0);
  }

  /** A thread came from one CPU to another. */
  addMove(atNs: number, task: number, from: number, to: number): void {
    this.#add(atNs, to, task, from, 1);
  }

  #add(atNs: number, cpu: number, task: number, other: number, isMove: number): void {
    if (this.#end - this.#begin === this.#at.length) {
      if (this.#at.length < MOST) this.#grow();
      else {
        this.#begin += 1;
        // Some entries of that instant are lost.
        this.#knownFrom = this.#at[this.#begin % this.#at.length] ?? atNs;
      }
    }
    const i = this.#end % this.#at.length;
    this.#at[i] = atNs;
    this.#cpu[i] = cpu;
    this.#task[i] = task;
    this.#other[i] = other;
    this.#isMove[i] = isMove;
    this.#end += 1;
  }

  /** Called only while nothing was dropped: then entry `i` is at `i`. */
  #grow(): void {
    const size = 2 * this.#at.length;
    const larger = <T extends Float64Array | Int32Array | Uint8Array>(made: T, from: T): T => {
      made.set(from);
      return made;
    };
    this.#at = larger(new Float64Array(size), this.#at);
    this.#cpu = larger(new Int32Array(size), this.#cpu);
    this.#task = larger(new Int32Array(size), this.#task);
    this.#other = larger(new Int32Array(size), this.#other);
    this.#isMove = larger(new Uint8Array(size), this.#isMove);
  }

  /** Beginning of the known part of the last `lengthNs` before a time. */
  #from(toNs: number, lengthNs: number): number {
    return Math.min(toNs, Math.max(toNs - lengthNs, this.#knownFrom));
  }

  /**
   * Goes back from the present to a time: reports every span in which a CPU had a thread (or none, −1), and every
   * move between two CPUs. `curr` has the thread of each CPU now.
   */
  #goBack(
    [fromNs, toNs]: readonly [number, number],
    curr: ArrayLike<number>,
    ran: (cpu: number, task: number, ns: number, isOver: boolean) => void,
    moved: (task: number, from: number, to: number) => void,
  ): void {
    const cpus = this.#cpus;
    const until = new Float64Array(cpus).fill(toNs);
    const who = Int32Array.from({ length: cpus }, (_, cpu) => curr[cpu] ?? -1);
    const size = this.#at.length;
    for (let n = this.#end - 1; n >= this.#begin; n--) {
      const i = n % size;
      const atNs = this.#at[i] ?? 0;
      if (atNs <= fromNs) break;
      const cpu = this.#cpu[i] ?? 0;
      const task = this.#task[i] ?? -1;
      const other = this.#other[i] ?? -1;
      if (this.#isMove[i] === 0) {
        ran(cpu, task, (until[cpu] ?? toNs) - atNs, true);
        until[cpu] = atNs;
        who[cpu] = other;
      } else if (other >= 0 && other !== cpu) moved(task, other, cpu);
    }
    for (let cpu = 0; cpu < cpus; cpu++)
      ran(cpu, who[cpu] ?? -1, (until[cpu] ?? toNs) - fromNs, false);
  }

  /** Sums over the last `lengthNs` before the present; `curr` has the thread of each CPU now. */
  tally(
    toNs: number,
    lengthNs: number,
    curr: ArrayLike<number>,
    isBackground: (task: number) => boolean,
  ): Tally {
    const fromNs = this.#from(toNs, lengthNs);
    const cpus = this.#cpus;
    const had = Array.from({ length: cpus }, () => new Map<number, number>());
    const switches = new Float64Array(cpus);
    const counts = new Map<number, number>();
    const movesOf = new Map<number, number>();
    const slices = new Slices(cpus, isBackground);
    let [moves, daemonMoves] = [0, 0];
    this.#goBack(
      [fromNs, toNs],
      curr,
      (cpu, task, ns, isOver) => {
        if (isOver) switches[cpu] = (switches[cpu] ?? 0) + 1;
        slices.add(cpu, task, ns);
        if (task < 0 || ns <= 0) return;
        const of = had[cpu];
        of?.set(task, (of.get(task) ?? 0) + ns);
      },
      (task, from, to) => {
        if (isBackground(task)) {
          daemonMoves += 1;
          return;
        }
        moves += 1;
        const pair = from * cpus + to;
        counts.set(pair, (counts.get(pair) ?? 0) + 1);
        movesOf.set(task, (movesOf.get(task) ?? 0) + 1);
      },
    );
    const pairs = [...counts].map(([pair, count]) => {
      return { from: Math.floor(pair / cpus), to: pair % cpus, count };
    });
    const sliceNs = slices.median();
    return { fromNs, toNs, had, switches, pairs, movesOf, moves, daemonMoves, sliceNs };
  }

  /** Only the rate of events in the same span: nothing is summed by CPU or thread. */
  pulse(
    toNs: number,
    lengthNs: number,
    curr: ArrayLike<number>,
    isBackground: (task: number) => boolean,
  ): Pick<Tally, 'fromNs' | 'toNs' | 'moves' | 'sliceNs'> {
    const fromNs = this.#from(toNs, lengthNs);
    const slices = new Slices(this.#cpus, isBackground);
    let moves = 0;
    this.#goBack(
      [fromNs, toNs],
      curr,
      (cpu, task, ns) => {
        slices.add(cpu, task, ns);
      },
      (task) => {
        if (!isBackground(task)) moves += 1;
      },
    );
    return { fromNs, toNs, moves, sliceNs: slices.median() };
  }
}

/**
 * Slices of the workload's threads, added from the newest to the oldest part of each CPU's past. A background thread
 * in between does not end a slice. A slice that began before, or has not ended, is not measured; a thread that had
 * its CPU all the time has an infinite one.
 */
class Slices {
  readonly #isBackground: (task: number) => boolean;
  readonly #whole: number[] = [];
  readonly #task: Int32Array;
  readonly #ns: Float64Array;
  /** Slices of each CPU so far; the first of them has not ended. */
  readonly #count: Int32Array;

  constructor(cpus: number, isBackground: (task: number) => boolean) {
    this.#isBackground = isBackground;
    this.#task = new Int32Array(cpus).fill(-1);
    this.#ns = new Float64Array(cpus);
    this.#count = new Int32Array(cpus);
  }

  add(cpu: number, task: number, ns: number): void {
    if (task >= 0 && this.#isBackground(task)) return;
    if (this.#count[cpu] !== 0 && this.#task[cpu] === task) {
      this.#ns[cpu] = (this.#ns[cpu] ?? 0) + ns;
      return;
    }
    const isWhole = (this.#count[cpu] ?? 0) > 1 && (this.#task[cpu] ?? -1) >= 0;
    if (isWhole && this.#whole.length < MOST_SLICES) this.#whole.push(this.#ns[cpu] ?? 0);
    this.#task[cpu] = task;
    this.#ns[cpu] = ns;
    this.#count[cpu] = (this.#count[cpu] ?? 0) + 1;
  }

  median(): number {
    this.#count.forEach((count, cpu) => {
      if (count === 1 && (this.#task[cpu] ?? -1) >= 0) this.#whole.push(Number.POSITIVE_INFINITY);
    });
    this.#whole.sort((a, b) => a - b);
    return this.#whole[Math.floor(this.#whole.length / 2)] ?? Number.POSITIVE_INFINITY;
  }
}
