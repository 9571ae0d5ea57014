/** What the eye is led to: told by whoever finds moments, read by all that draws and says. */
import type { Move } from '../sim/history';
import type { MomentKind } from '../sim/types/MomentKind';
import type { LaneState } from './lane.svelte';
import type { Found } from './moments';
import type { Asked } from './selection.svelte';

/** A moment with everything that points at it. */
export interface Sight extends Found {
  /** Threads that it is about. */
  readonly tasks: readonly number[];
  /** CPUs: where it begins (−1: where the first thread stands), and where it ends. */
  readonly from: number;
  readonly to: number;
  /** The move that it is, if it is one. */
  readonly move: Move | null;
  /** A sentence for the line under the machine and for listeners, the longest first. */
  readonly words: readonly [string, ...string[]];
  readonly asked: Asked;
}

/** A refusal as it holds now. */
export interface Refused {
  readonly id: number;
  readonly atNs: number;
  readonly from: number;
  readonly to: number;
  readonly task: number;
}

/** See the module comment. */
export class Eye {
  /** The moment whose words and chip stand. */
  sight = $state.raw<Sight | null>(null);
  /** Drawn ms since it was announced; changes with every picture and tells nobody. */
  forMs = 0;
  /** Whether time is slow for it and all else is dim. */
  isLeading = $state(false);
  /** Whether what moved has arrived: then the chip stands. */
  hasChip = $state(false);
  /** Goes to the next or previous moment of some kinds; null until that is loaded. */
  seek: ((lane: LaneState, kinds: readonly MomentKind[], back: boolean) => Promise<void>) | null =
    null;
  /** The lanes that are seen: what idle CPUs there refuse now. */
  readonly lanes = new Map<number, () => readonly Refused[]>();

  /** A lane is seen; the returned function ends that. */
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
