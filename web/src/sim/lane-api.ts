/** The part of the generated `Lane` class that the page uses, so that tests can replace it. */
export interface LaneApi {
  now(): number;
  end_ns(): number;
  is_finished(): boolean;
  advance(untilNs: number, maxEvents: number): number;
  /** Memory for kept states, in bytes. */
  set_room(bytes: number): void;
  /** Undefined: not found yet, call again. Thread and CPU are −1 for any. */
  step(
    kind: string,
    back: boolean,
    task: number,
    cpu: number,
    maxEvents: number,
  ): boolean | undefined;
  seek_event(number: number, atNs: number, maxEvents: number): boolean;
  seek_some(ns: number, maxEvents: number): boolean;
  frame(): Float64Array;
  trace(fromSeq: number, max: number): Float64Array;
  residents(): Float64Array;
  queue_shape(): string;
  /** JSON `LaneColumns`. */
  columns(): string;
  queue_detail(cpu: number): string;
  task_names(): string;
  task_groups(): string;
  /** JSON `Present`. */
  present(): string;
  /** JSON `LimitNow[]`. */
  limits(): string;
  limits_past(fromNs: number, toNs: number): Float64Array;
  metrics(): Float64Array;
  /** The slice of a CPU at a time. */
  slice(cpu: number, atNs: number): Float64Array | undefined;
  slices(fromNs: number, toNs: number, most: number): Float64Array | undefined;
  stretches(fromNs: number, toNs: number, columns: number, span: Float64Array): Uint16Array;
  samples(fromNs: number, toNs: number, tasks: Uint32Array, most: number): Float64Array;
  histogram(id: string): Float64Array;
  moves(): Float64Array;
  reason_counts(): Float64Array;
  /** A wrong answer of the scheduler, as JSON `SchedulerFault`, or nothing. */
  fault(): string;
  decisions(
    from: number,
    newer: boolean,
    max: number,
    task: number,
    cpu: number,
    kind: string,
  ): string;
  explain(decision: number): string;
  edit(editJson: string, lane?: number): string;
  /** Takes back the edits of an instant that came after an event; false: not done yet, call again. */
  take_back(event: number, atNs: number, maxEvents: number): boolean;
  edits(): string;
  digest(): string;
  free(): void;
}

/** A scenario that was read once for all its lanes. */
export interface PlanApi {
  /** JSON `Scenario`, with every default filled in. */
  scenario(): string;
  machine_tree(): string;
  lane(lane: number): LaneApi;
  free(): void;
}

/** The functions of the generated package. */
export interface CoreApi {
  catalog(): string;
  /** JSON `Checked`. */
  check(scenarioJson: string): string;
  /** The scenario, or an error that holds problems. */
  plan(scenarioJson: string): PlanApi;
  digests(): string;
}
