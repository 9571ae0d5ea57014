import type { WhyOf } from '../sim/protocol';

/** Something that somebody asks why of. */
export interface Asked {
  readonly lane: number;
  readonly of: WhyOf;
  /** What it is about, in words: `job-2 moved from cpu 1 to cpu 4 at 12.345 ms`. */
  readonly title: string;
  /** What its decision and its second one answer. */
  readonly heads: readonly [string, string];
  /** Names it, so that asking the same again is known. */
  readonly key: string;
  /** Whether the keyboard asked: then it goes to the answer. */
  readonly isByKey: boolean;
}

/** What the user points at. A thread is selected by name, so it is the same thread in every lane. */
export class Selection {
  /** Name of the selected thread. */
  thread = $state<string | null>(null);
  /** Whether somebody selected it, who wants to know more of it: scenarios only point at a thread. */
  isByHand = $state(true);
  /** Selected CPU number. */
  cpu = $state<number | null>(null);
  /** Lane that steps, decisions and the inspector are about. */
  lane = $state(0);
  /** Thread under the pointer or the keyboard cursor. */
  hovered = $state<string | null>(null);
  /** What somebody asks why of. */
  asked = $state.raw<Asked | null>(null);
  /** What the answer that is open is about, in its lane; null while none is. */
  told = $state.raw<{
    readonly lane: number;
    readonly task: number | null;
    readonly cpu: number | null;
  } | null>(null);
  /** The candidate of an answer that is pointed at, by its row. */
  candidate = $state.raw<{ readonly of: Asked; readonly row: number } | null>(null);

  /** Selects a thread in every lane; the same one again takes the selection away. */
  toggleThread(name: string, lane: number): void {
    this.isByHand = true;
    this.thread = this.thread === name && this.lane === lane ? null : name;
    this.cpu = null;
    this.lane = lane;
  }

  /** Selects a thread, whatever was selected. */
  pick(name: string, lane: number): void {
    this.isByHand = true;
    this.thread = name;
    this.cpu = null;
    this.lane = lane;
  }

  /** Points at a thread, as a scenario does where it opens. */
  point(name: string): void {
    this.thread = name;
    this.isByHand = false;
  }

  /** Points at a CPU of the lane that is looked at. */
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

  /** Points at the next candidate of the answer that is open. */
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
