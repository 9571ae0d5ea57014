/** The moment that the page points at: set by the search for moments, read by everything that draws or describes. */
import type { Move } from '../sim/history';
import type { MomentKind } from '../sim/types/MomentKind';
import type { LaneState } from './lane.svelte';
import type { CandidateMoment } from './moments';
import type { Asked } from './selection.svelte';

/** A moment with everything that the page shows about it. */
export interface Sight extends CandidateMoment {
  /** Threads that it is about. */
  readonly tasks: readonly number[];
  /** CPUs: where the moment begins (−1: at the first thread's place), and where it ends. */
  readonly from: number;
  readonly to: number;
  /** Of a wait or a refusal: the CPU whose queue holds the first thread; −1: the queue of all. */
  readonly queue?: number;
  /** The move, if the moment is one. */
  readonly move: Move | null;
  /** A sentence for the line under the machine and for listeners, the longest first. */
  readonly words: readonly [string, ...string[]];
  readonly asked: Asked;
}

/** A refusal that holds now. */
export interface Refused {
  readonly id: number;
  readonly atNs: number;
  readonly from: number;
  readonly to: number;
  readonly task: number;
}

/** In front of a class one refusal stands for all: that of the CPU that somebody looks at. */
export function oneRefusal<T extends Refused>(held: readonly T[], cpu: number | null): T | null {
  return held.find(({ to }) => to === cpu) ?? held[0] ?? null;
}

/** See the module comment. */
export class ShownMoment {
  /** The moment whose words and chip are on the page. */
  sight = $state.raw<Sight | null>(null);
  /** Drawn ms since it was announced. Not reactive, as it changes with every picture. */
  forMs = 0;
  /** Whether time is slowed for it and everything else is dimmed. */
  isLeading = $state(false);
  /** Whether the moved thread has arrived: then the chip is there. */
  hasChip = $state(false);
  /** Goes to the next or previous moment of some kinds; null until the search is loaded. */
  seek: ((lane: LaneState, kinds: readonly MomentKind[], back: boolean) => Promise<void>) | null =
    null;
  /** By lane on the page: the refusals of its idle CPUs. */
  readonly lanes = new Map<number, () => readonly Refused[]>();

  /** Adds a lane that is on the page; the returned function removes it. */
  sees(lane: number, refused: () => readonly Refused[]): () => void {
    this.lanes.set(lane, refused);
    return () => {
      if (this.lanes.get(lane) === refused) this.lanes.delete(lane);
    };
  }

  /** Nothing is pointed at. */
  clear(): void {
    this.sight = null;
    this.isLeading = false;
    this.hasChip = false;
  }
}
