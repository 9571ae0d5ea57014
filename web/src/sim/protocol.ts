/**
 * The messages between the page and the worker. Every request carries an id and an epoch, and every reply repeats
 * both. The client drops a reply of an older epoch (another scenario, or a worker that was replaced).
 *
 * There is no free-running clock in the worker: each drawn frame requests one slice of simulated time, and a picture
 * is only made for an answer. So a slow page skips pictures but never queues them, and a paused page costs nothing.
 */
import type { ExportArgs } from './export';
import type { Catalog } from './types/Catalog';
import type { DecisionView } from './types/DecisionView';
import type { Checked } from './types/Checked';
import type { Edit } from './property/edit';
import type { LimitNow } from './types/LimitNow';
import type { Present } from './types/Present';
import type { QueueDetail } from './types/QueueDetail';
import type { LaneColumns } from './types/LaneColumns';
import type { QueueShape } from './types/QueueShape';
import type { MachineTree } from './types/MachineTree';
import type { Scenario } from './types/Scenario';
import type { SchedulerFault } from './types/SchedulerFault';
import type { TimedEdit } from './types/TimedEdit';

/** The event after which a step stops. */
export type StepKind =
  | 'event'
  | 'tick'
  | 'decision'
  | 'switch'
  | 'migration'
  | 'wakeup'
  | 'preemption'
  | 'sliceEnd'
  | 'exit'
  | 'steal'
  | 'balance'
  /** A decision for one of the reasons of the lane's scheduler. */
  | `reason:${string}`;

/** The subject of a step or of a list of decisions; −1 for any. */
export interface About {
  /** Thread, by its number in the lane. */
  readonly task: number;
  readonly cpu: number;
}

/** Which decisions of a lane. */
export interface DecisionQuery extends About {
  readonly lane: number;
  /** Number to start at, or −1 for the first in that direction. */
  readonly from: number;
  readonly newer: boolean;
  readonly max: number;
  /** Kind or reason; empty for all. */
  readonly kind: string;
}

/** What the reader asks why about. */
export type WhyOf =
  /** The decisions that a record names; the second may be missing (−1). */
  | { readonly kind: 'decisions'; readonly decision: number; readonly also: number }
  /** The slice of a CPU at a time. */
  | { readonly kind: 'slice'; readonly cpu: number; readonly atNs: number }
  /** How a thread came to its place. */
  | { readonly kind: 'thread'; readonly task: number }
  /** Why a control group stands still on a CPU, and with it a thread. */
  | {
      readonly kind: 'held';
      readonly task: number;
      readonly cpu: number;
      readonly group: string | null;
    };

/** The decisions behind something, with the candidates that lost. */
export interface Why {
  /** Null where nothing was decided. */
  readonly decision: DecisionView | null;
  /** The second decision that led to it; null if there is none. */
  readonly also: DecisionView | null;
  /** For a slice: its time and its thread, −1 for none. */
  readonly slice: { readonly fromNs: number; readonly toNs: number; readonly task: number } | null;
  /** The nearest decisions of the same kind about the same thread (or CPU), by number. */
  readonly older: number | null;
  readonly newer: number | null;
}

/** A point of a run that a time alone does not identify: just after an event of a lane. */
export interface Position {
  readonly lane: number;
  readonly event: number;
}

/** The past of a lane in a window of time. */
export type Past =
  /** Every slice: rows of CPU, begin, end, thread (−1: idle), code, decision, ns for locks, switch and caches, and the
   * decision that brought it there. */
  | {
      readonly kind: 'slices';
      readonly fromNs: number;
      readonly toNs: number;
      readonly rows: Float64Array;
    }
  /** Totals of equal spans, 6 numbers for each CPU in each span; see the core's `Lane.stretches`. */
  | {
      readonly kind: 'stretches';
      readonly fromNs: number;
      readonly toNs: number;
      readonly lengthNs: number;
      readonly words: Uint16Array;
    };

/** A problem with a scenario or an edit: the field, and what is allowed. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** An edit, for every lane or for one. */
export interface EditStep {
  readonly edit: Edit;
  readonly lane: number | null;
}

/** A group of threads as the core runs it; background groups come last. */
export interface GroupInfo {
  readonly name: string;
  readonly background: boolean;
  readonly behaviour: string;
  readonly process: string;
}

/** Names that change only when threads are added. */
export interface LaneNames {
  readonly revision: number;
  readonly tasks: readonly string[];
  readonly groups: readonly GroupInfo[];
  readonly taskGroup: readonly number[];
  /** Names of the control groups. Schedulers give them the numbers from 1 on. */
  readonly cgroups: readonly string[];
}

/** One CPU's view of the queues. */
export interface WatchedQueue {
  readonly cpu: number;
  readonly detail: QueueDetail;
}

/** One lane at one moment. */
export interface LaneUpdate {
  /** The frame of the core; see `sim/frame.ts`. */
  readonly frame: Float64Array;
  /** Trace rows since the last update, or the newest kept ones after a jump; see `sim/trace.ts`. */
  readonly trace: Float64Array;
  /** Whether `trace` continues the rows of the last update; false after a jump or a gap. */
  readonly traceContinues: boolean;
  /** Present when threads were added or the lane is new. */
  readonly names: LaneNames | null;
  /** Rows of cache, thread and bytes: what each cache holds; null when not refreshed. */
  readonly residents: Float64Array | null;
  /** Form of the queues; present when the lane is new or was edited. */
  readonly shape: QueueShape | null;
  /** What its scheduler keeps of threads and CPUs; present when the lane is new. A program has columns of its own. */
  readonly columns?: LaneColumns | null;
  /** The watched CPU's view of the queues; null when not refreshed. */
  readonly detail: WatchedQueue | null;
  /** Values of threads and tunables; null when not refreshed. */
  readonly present: Present | null;
  /** The control groups that have a limit, at the time of the frame. */
  readonly limits: readonly LimitNow[];
  /** In the order of `catalog.metrics`. */
  readonly metrics: Float64Array;
  /** Set when a wrong answer of its scheduler has ended the lane. */
  readonly fault: SchedulerFault | null;
  /** Hash of everything up to now; only while nothing plays, because it costs time. */
  readonly digest: string | null;
  /** Rows of `TRAIL` since the last update, for a lane that is compared with one of another worker. */
  readonly trail: Float64Array | null;
}

/** All lanes at one moment of their common clock. */
export interface LanesUpdate {
  readonly nowNs: number;
  readonly endNs: number;
  readonly finished: boolean;
  readonly lanes: readonly LaneUpdate[];
  /** When the lanes of a fork first differ; null while they do not, or without a fork. */
  readonly differNs: number | null;
  /** Every edit so far, the scenario's own and live ones; null when unchanged. */
  readonly edits: readonly TimedEdit[] | null;
  /** When the first lane finished; null while none has. */
  readonly overNs: number | null;
  /** Time that the last slice of work took the worker, in ms. */
  readonly workMs: number;
}

/**
 * Requests: arguments and result of each. A scenario may be anything as an argument; in a result it has every default
 * filled in.
 */
export interface Calls {
  /** Answered once the core is loaded. */
  load: { args: null; result: Catalog };
  /** Checks without running. */
  check: { args: { scenario: unknown }; result: Checked };
  /** The machine of a scenario with the CPU numbers of its first lane, or the scenario's problems. */
  machine: {
    args: { scenario: unknown };
    result: { problems: readonly Problem[] } | { tree: MachineTree };
  };
  /**
   * Replaces everything by this scenario and goes to a time, or to a moment worth seeing. With `part`, a worker takes
   * only its lanes of those that at most `most` workers share. If these are not all lanes, it stays at the start, and
   * its update is empty.
   */
  configure: {
    args: {
      scenario: unknown;
      at: number | 'opening';
      position?: Position | null;
      part?: { readonly index: number; readonly most: number };
    };
    result:
      | { problems: readonly Problem[] }
      | { scenario: Scenario; moment: LanesUpdate; tree: MachineTree; parts: number };
  };
  /** One slice of work: up to `untilNs`, or as far as a few milliseconds suffice (`budgetMs`). */
  advance: { args: { untilNs: number; budgetMs?: number }; result: LanesUpdate };
  /** Any time, past or future. */
  seek: { args: { ns: number; position?: Position | null }; result: LanesUpdate };
  /** Stops a seek in progress where it is, because another one follows. Answered before anything else. */
  cancelSeek: { args: null; result: null };
  /** Stops any journey to another time where it is. Answered before anything else. */
  halt: { args: null; result: null };
  /** Goes to just after the next (or previous) event in `lane`; the other lanes follow to that time. */
  step: {
    args: { lane: number; kind: StepKind; back: boolean; about: About };
    /** `atNs`: the time of that lane, which may have finished already. */
    result: { moment: LanesUpdate; found: boolean; atNs: number };
  };
  /** From now on updates contain this CPU's view of the queues; null: none. */
  watch: { args: { cpu: number | null }; result: LanesUpdate };
  /** The present again, with digests: for a pause. */
  look: { args: null; result: LanesUpdate };
  /**
   * A change that takes effect now, in every lane or in one. While time stands, changes of one drag replace each
   * other.
   */
  edit: {
    args: { edit: Edit; lane: number | null; drag: number | null };
    result: { problems: readonly Problem[]; moment: LanesUpdate };
  };
  /** Decisions without candidates. */
  decisions: { args: DecisionQuery; result: readonly DecisionView[] };
  /** Compares two lanes from now on until they differ. */
  compare: { args: { lanes: readonly [number, number] | null }; result: null };
  /** The past of a lane: every slice if there are at most `most`, else totals of equal spans. */
  past: {
    args: { lane: number; fromNs: number; toNs: number; columns: number; most: number };
    result: Past;
  };
  /** States at regular times; see the core's `Lane.samples`. */
  samples: {
    args: { lane: number; fromNs: number; toNs: number; tasks: readonly number[]; most: number };
    result: Float64Array;
  };
  /** What control groups had left, a row for each change; see the core's `Lane.limits_past`. */
  limitsPast: {
    args: { lane: number; fromNs: number; toNs: number };
    result: Float64Array;
  };
  /** A histogram as pairs of upper bound in ns and count. */
  histogram: { args: { lane: number; id: string }; result: Float64Array };
  /** Migrations in rows of reason, distance and count; see the core's `Lane.moves`. */
  moves: { args: { lane: number }; result: Float64Array };
  /** How often each reason was given, in rows of reason, CPU, thread and count; see the core's `Lane.reason_counts`. */
  reasonCounts: { args: { lane: number }; result: Float64Array };
  /** The decisions behind something. */
  explain: { args: { lane: number; of: WhyOf }; result: Why };
  /** Digests of every shipped scenario run to its end; takes long. */
  shippedDigests: { args: null; result: string };
  /** A lane from the start as text for other programs; takes long. */
  export: { args: ExportArgs; result: Blob };
  /** Breaks the core, for tests: it panics, or takes memory until there is no more. */
  fail: { args: { outOfMemory: boolean }; result: null };

  // Requests only to workers that share the lanes of a scenario; see `lane-group.ts`.

  /** Where the scenario opens, by the first lane; null if the search was given up. */
  opening: { args: null; result: number | null };
  /** Goes to the time of a step in a lane of another worker. */
  follow: { args: { ns: number; back: boolean }; result: LanesUpdate };
  /** Runs the remaining events of this instant; returns the number of each lane's last event. */
  settle: { args: null; result: readonly number[] };
  /** Takes back the edits of an instant that came after a given event of each lane. */
  takeBack: {
    args: { events: readonly number[]; atNs: number };
    result: readonly null[];
  };
  /** Makes an edit; returns its problems by lane. */
  change: { args: EditStep; result: readonly (readonly Problem[])[] };
  /** The present after edits. */
  edited: { args: { wentBack: boolean }; result: LanesUpdate };
  /** From now on updates contain the trails of these lanes, from the oldest records on. */
  trail: { args: { lanes: readonly number[] }; result: null };
}

/** Name of a request. */
export type CallName = keyof Calls;

/** Page → worker. */
export type Request = {
  [K in CallName]: { kind: K; id: number; epoch: number; args: Calls[K]['args'] };
}[CallName];

/** Worker → page. */
export type Reply =
  | { kind: 'result'; id: number; epoch: number; value: Calls[CallName]['result'] }
  | { kind: 'refused'; id: number; epoch: number; message: string }
  /** Sent between slices of long work: silence means a fault. */
  | {
      kind: 'alive';
      /** How far lanes have come that are on their way to another time. */ reachedNs?:
        number | null;
    }
  /** The core is broken; this worker must be replaced. */
  | { kind: 'fault'; cause: 'panic' | 'memory' | 'load'; message: string };
