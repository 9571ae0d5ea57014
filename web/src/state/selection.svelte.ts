import type { WhyOf } from '../sim/protocol';

/** Something that the reader asks why about. */
export interface Asked {
  readonly lane: number;
  readonly of: WhyOf;
  /** What it is, in words: `job-2 moved from cpu 1 to cpu 4 at 12.345 ms`. */
  readonly title: string;
  /** Headings of its first and its second decision. */
  readonly heads: readonly [string, string];
  /** Identifies it: asking the same again can be recognized. */
  readonly key: string;
  /** Whether it was asked by keyboard: then the focus moves to the answer. */
  readonly isByKey: boolean;
}

/** An event that was announced, and the question that asks why it happened. */
export interface Announced {
  readonly text: string;
  readonly asked: Asked;
  /** The thread that it is about. */
  readonly thread: string | null;
  /** When it happened, in ns. */
  readonly atNs: number;
}

/** What the user points at. A thread is selected by name, so it is the same thread in every lane. */
export class Selection {
  /** Name of the selected thread. */
  thread = $state<string | null>(null);
  /** Whether the user selected it, so that details are shown; scenarios only point at a thread. */
  isByHand = $state(true);
  /** Selected CPU number. */
  cpu = $state<number | null>(null);
  /** Lane of steps, decisions and the inspector. */
  lane = $state(0);
  /** Thread under the pointer or the keyboard cursor. */
  hovered = $state<string | null>(null);
  /** Whether a thread was clicked just now: then its slider gets the focus, so that arrow keys set its nice value. */
  isClicked = $state(false);
  /** What the reader asks why about. */
  asked = $state.raw<Asked | null>(null);
  /** The subject of the open answer, in its lane; null while none is open. */
  explained = $state.raw<{
    readonly lane: number;
    readonly task: number | null;
    readonly cpu: number | null;
    /** The CPU that its thread had to leave, where its place is marked. */
    readonly left: number | null;
    /** All threads that it names. */
    readonly tasks: readonly number[];
  } | null>(null);
  /** The candidate of an answer under the pointer, by its row. */
  candidate = $state.raw<{ readonly of: Asked; readonly row: number } | null>(null);

  /** What was selected before an answer selected a thread by its name. */
  #before: (Pick<Selection, 'cpu' | 'isByHand' | 'thread'> & { readonly name: string }) | null =
    null;

  /** Selects a thread in every lane; the same thread again clears the selection. */
  toggleThread(name: string, lane: number): void {
    this.isByHand = true;
    this.thread = this.thread === name && this.lane === lane ? null : name;
    this.cpu = null;
    this.lane = lane;
  }

  /** Selects a thread, whatever was selected before. */
  pick(name: string, lane: number): void {
    this.isByHand = true;
    this.thread = name;
    this.cpu = null;
    this.lane = lane;
  }

  /** Points at a thread without selecting it, as the opening of a scenario does. */
  point(name: string): void {
    this.thread = name;
    this.isByHand = false;
  }

  /** Points at a CPU of the selected lane. */
  pointCpu(cpu: number): void {
    this.cpu = cpu;
    this.isByHand = false;
  }

  /** Selects a CPU in a lane. */
  toggleCpu(cpu: number, lane: number): void {
    this.isByHand = true;
    this.cpu = this.cpu === cpu && this.lane === lane ? null : cpu;
    this.thread = null;
    this.lane = lane;
  }

  /** Selects the thread of an answer, until the answer is closed. */
  pickForAnswer(name: string, lane: number): void {
    const { cpu, isByHand, thread } = this;
    this.#before = { name, cpu, isByHand, thread };
    this.pick(name, lane);
  }

  /** Closes the answer. What was selected before it is selected again, unless something else was selected since. */
  closeAnswer(): void {
    const before = this.#before;
    this.asked = null;
    this.#before = null;
    if (before?.name !== this.thread) return;
    this.thread = before.thread;
    this.cpu = before.cpu;
    this.isByHand = before.isByHand;
  }

  /** Points at the next candidate of the open answer. */
  nextCandidate(): void {
    const { asked: of, candidate } = this;
    if (of) this.candidate = { of, row: candidate?.of === of ? candidate.row + 1 : 0 };
  }

  /** Selects nothing. */
  clear(): void {
    this.thread = null;
    this.cpu = null;
    this.asked = null;
  }
}
