/** The last painted places of all parts of the machines, as numbers: tests read these instead of pixels. */

/** A rectangle of the page in CSS pixels, from its upper left. */
export interface PageRect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A machine as it was painted last. */
export interface MachineRects {
  readonly lane: number;
  readonly regime: string;
  readonly slots: readonly {
    readonly cpu: number;
    readonly lane: number;
    readonly rect: PageRect;
  }[];
  readonly tokens: readonly {
    readonly thread: string;
    readonly lane: number;
    /** Its place; `band` for a part of a slot. */
    readonly state: string;
    readonly isDaemon: boolean;
    /** Whether it is in flight. */
    readonly isMoving: boolean;
    readonly rect: PageRect;
    readonly fill: string;
    readonly rim: string;
  }[];
  /** Lines between cores and arcs of moves; `thread` if it is the move of one. */
  readonly lines: readonly { readonly count: number; readonly thread: string | null }[];
  /** Sums of moves, while moves are summed. */
  readonly totals: {
    readonly fromNs: number;
    readonly toNs: number;
    readonly moves: number;
    readonly between: number;
    readonly within: number;
    readonly rest: number;
  } | null;
  /** The announced moment of this lane. */
  readonly sight: {
    readonly kind: string;
    readonly atNs: number;
    readonly forMs: number;
    readonly isLeading: boolean;
    readonly hasChip: boolean;
  } | null;
  /** Words of the line under the machine. */
  readonly said: readonly string[];
  /** All moves of the workload's threads since the start. */
  readonly migrations: number;
}

const machines = new Set<() => MachineRects | null>();

/** Offers a machine to tests; the returned function takes it away. */
export function offerRects(read: () => MachineRects | null): () => void {
  machines.add(read);
  return () => machines.delete(read);
}

/** All machines that are on the page, by lane. */
export function stageRects(): readonly MachineRects[] {
  return [...machines].flatMap((read) => read() ?? []).sort((a, b) => a.lane - b.lane);
}
