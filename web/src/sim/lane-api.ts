/** The part of the generated `Lane` class that the page uses, so that tests can stand in for it. */
export interface LaneApi {
  now(): number;
  end_ns(): number;
  is_finished(): boolean;
  advance(untilNs: number, maxEvents: number): number;
  step(kind: string): boolean;
  step_back(kind: string): boolean;
  seek(ns: number): void;
  seek_some(ns: number, maxEvents: number): boolean;
  frame(): Float64Array;
  trace(fromSeq: number, max: number): Float64Array;
  residents(): Float64Array;
  queue_shape(): string;
  queue_detail(cpu: number): string;
  task_names(): string;
  task_groups(): string;
  metrics(): Float64Array;
  decisions(fromSeq: number, max: number): string;
  explain(decision: number): string;
  edit(editJson: string): string;
  edits(): string;
  digest(): string;
  free(): void;
}

/** The functions of the generated package. */
export interface CoreApi {
  catalog(): string;
  check(scenarioJson: string): string;
  /** The expanded machine, or an error that holds problems. */
  machineTree(scenarioJson: string): string;
  digests(): string;
  lane(scenarioJson: string, lane: number): LaneApi;
}
