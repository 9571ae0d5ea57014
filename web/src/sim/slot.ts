/** A lane of a worker, and what updates have said of it: most data is sent only when it is new. */
import type { LaneApi } from './lane-api';
import type { LaneUpdate, LaneNames } from './protocol';
import type { Catalog } from './types/Catalog';
import type { LimitNow } from './types/LimitNow';
import type { Present } from './types/Present';
import type { QueueDetail } from './types/QueueDetail';
import type { LaneColumns } from './types/LaneColumns';
import type { QueueShape } from './types/QueueShape';
import type { SchedulerFault } from './types/SchedulerFault';
import type { TaskGroups } from './types/TaskGroups';

/** Trace rows per picture: with more, single moves could not be seen anyway. */
const MAX_TRACE = 6_000;
/** Measures, threads and tunables are refreshed this often while time runs. */
const METRICS_EVERY_MS = 200;
/** How often the contents of caches are refreshed: faster bars could not be followed. */
const RESIDENTS_EVERY_MS = 80;
/** How often the watched CPU's view of the queues is refreshed. */
const DETAIL_EVERY_MS = 60;

const NO_LIMITS: readonly LimitNow[] = [];

const parse = (json: string): unknown => JSON.parse(json);

function faultOf(lane: LaneApi): SchedulerFault | null {
  const json = lane.fault();
  return json === '' ? null : (parse(json) as SchedulerFault);
}

/** Positions of values in the header of a frame. */
export interface Columns {
  readonly traceSeq: number;
  readonly layoutRevision: number;
  readonly cpus: number;
  readonly events: number;
}

/** The columns of a catalog's frames. */
export function columnsOf({ frame: { header } }: Catalog): Columns {
  return {
    traceSeq: header.indexOf('traceSeq'),
    layoutRevision: header.indexOf('layoutRevision'),
    cpus: header.indexOf('cpus'),
    events: header.indexOf('events'),
  };
}

/** What an update contains. */
export interface UpdateOptions {
  readonly withDigest: boolean;
  /** Whether edits were made since the last update. */
  readonly isEdited: boolean;
  /** The CPU whose view of the queues is sent; null: none. */
  readonly watched: number | null;
  /** Real time. */
  readonly atMs: number;
}

/** See the module comment. */
export class Slot {
  readonly lane: LaneApi;
  readonly #columns: Columns;
  /** Whether the lane is new or has jumped since the last update. */
  isFresh = true;
  #traceSeq = 0;
  #revision = -1;
  #metrics: Float64Array = new Float64Array();
  #metricsAt = -Infinity;
  #residentsAt = -Infinity;
  #detailAt = -Infinity;
  #present = '';
  /** Whether control groups may have limits. */
  #hasLimits = false;

  constructor(lane: LaneApi, columns: Columns) {
    this.lane = lane;
    this.#columns = columns;
  }

  /** The next update contains the watched CPU's view. */
  lookAnew(): void {
    this.#detailAt = -Infinity;
  }

  /** The present. */
  moment({ withDigest, isEdited, watched, atMs }: UpdateOptions): LaneUpdate {
    const { lane } = this;
    const frame = lane.frame();
    const seq = frame[this.#columns.traceSeq] ?? 0;
    const revision = frame[this.#columns.layoutRevision] ?? 0;
    const continues = !this.isFresh && seq >= this.#traceSeq && seq - this.#traceSeq <= MAX_TRACE;
    const from = continues ? this.#traceSeq : Math.max(0, seq - MAX_TRACE);
    const trace = lane.trace(from, MAX_TRACE);
    let names: LaneNames | null = null;
    if (this.isFresh || revision !== this.#revision) {
      const { groups, taskGroup, cgroups } = parse(lane.task_groups()) as TaskGroups;
      const tasks = parse(lane.task_names()) as string[];
      names = { revision, tasks, groups, taskGroup, cgroups };
      this.#hasLimits = cgroups.length > 0;
    }
    let present: Present | null = null;
    if (withDigest || atMs - this.#metricsAt >= METRICS_EVERY_MS) {
      this.#metrics = lane.metrics();
      const json = lane.present();
      if (withDigest || json !== this.#present) present = parse(json) as Present;
      this.#present = json;
      this.#metricsAt = atMs;
    }
    let residents: Float64Array | null = null;
    if (withDigest || this.isFresh || atMs - this.#residentsAt >= RESIDENTS_EVERY_MS) {
      residents = lane.residents();
      this.#residentsAt = atMs;
    }
    let detail: LaneUpdate['detail'] = null;
    const isKnown = watched !== null && watched < (frame[this.#columns.cpus] ?? 0);
    if (isKnown && (withDigest || this.isFresh || atMs - this.#detailAt >= DETAIL_EVERY_MS)) {
      detail = { cpu: watched, detail: parse(lane.queue_detail(watched)) as QueueDetail };
      this.#detailAt = atMs;
    }
    const isNew = this.isFresh || isEdited;
    const shape = isNew ? (parse(lane.queue_shape()) as QueueShape) : null;
    this.#traceSeq = seq;
    this.isFresh = false;
    this.#revision = revision;
    const digest = withDigest ? lane.digest() : null;
    return {
      frame,
      trace,
      traceContinues: continues,
      names,
      residents,
      shape,
      columns: isNew ? (parse(lane.columns()) as LaneColumns) : null,
      detail,
      present,
      limits: this.#hasLimits ? (parse(lane.limits()) as LimitNow[]) : NO_LIMITS,
      metrics: this.#metrics.slice(),
      fault: faultOf(lane),
      digest,
      trail: null,
    };
  }
}
