/**
 * The worker's side: owns the lanes and answers requests. It knows nothing of messages or of the
 * generated package, so that tests can run it in place.
 *
 * All lanes share one clock. They advance in chunks that are chosen so that every lane reaches the
 * end of the chunk within the budget: whatever is shown, all lanes show the same time.
 */
import type { CoreApi, LaneApi, PlanApi } from './lane-api';
import type {
  Calls,
  DecisionQuery,
  LaneMoment,
  LaneNames,
  Moment,
  Past,
  Position,
  Problem,
  Why,
  WhyOf,
} from './protocol';
import type { Catalog } from './types/Catalog';
import type { DecisionView } from './types/DecisionView';
import type { Checked } from './types/Checked';
import type { MachineTree } from './types/MachineTree';
import type { Present } from './types/Present';
import type { QueueDetail } from './types/QueueDetail';
import type { QueueShape } from './types/QueueShape';
import type { Scenario } from './types/Scenario';
import type { SchedulerFault } from './types/SchedulerFault';
import type { TimedEdit } from './types/TimedEdit';
import { Difference } from './difference';
import { completeInstant, LiveEdits, MAX_EVENTS } from './live-edit';
import { findOpening } from './opening';
import { whyOf } from './why';

/** Longest work before the inbox is looked at. */
const BUDGET_MS = 8;
/** Work that cannot be interrupted says this often that it goes on. */
const ALIVE_EVERY_MS = 500;
/** Longest stretch of time that all lanes run through before they meet. */
const MAX_CHUNK_NS = 200_000_000;
/** Trace rows per picture; at more than this single moves cannot be seen anyway. */
const MAX_TRACE = 6_000;
/** Measures, and what threads and tunables are, are refreshed this often while time advances. */
const METRICS_EVERY_MS = 200;
/** So are the contents of caches: faster than that nobody follows the bars. */
const RESIDENTS_EVERY_MS = 80;
/** And so is what the watched CPU sees of the queues. */
const DETAIL_EVERY_MS = 60;

/** Part of a run that is short, at which it opens. */
const OPENS_AT_PART = 8;

/** Things that the host needs from its surroundings. */
export interface Surroundings {
  /** A clock in ms. */
  clock(): number;
  /** Lets waiting messages in, and tells the page that work goes on. */
  breathe(): Promise<void>;
  /** Only tells the page that work goes on. */
  alive(): void;
  /** Memory for states to go back to, of all lanes together; else the core chooses. */
  readonly keyframeBytes?: number;
}

interface Slot {
  readonly lane: LaneApi;
  traceSeq: number;
  fresh: boolean;
  revision: number;
  metrics: Float64Array;
  metricsAt: number;
  residentsAt: number;
  detailAt: number;
  present: string;
}

const parse = (json: string): unknown => JSON.parse(json);

/** Problems out of an error that the core threw, or the error itself if it holds none. */
export function problemsOf(error: unknown): readonly Problem[] {
  if (!(error instanceof Error) && typeof error !== 'string') throw error;
  const text = typeof error === 'string' ? error : error.message;
  if (!text.startsWith('{')) throw error;
  return (parse(text) as { errors: readonly Problem[] }).errors;
}

function faultOf(lane: LaneApi): SchedulerFault | null {
  const json = lane.fault();
  return json === '' ? null : (parse(json) as SchedulerFault);
}

/** Runs lanes; see the module comment. */
export class Host {
  readonly #core: CoreApi;
  readonly #around: Surroundings;
  readonly catalog: Catalog;
  #slots: Slot[] = [];
  #traceColumns: number;
  #seqColumn: number;
  #revisionColumn: number;
  #cpusColumn: number;
  #eventsColumn: number;
  #chunkNs = 1_000_000;
  #editsChanged = true;
  #wanted = 0;
  #isSeeking = false;
  #isUnderWay = false;
  #watched: number | null = null;
  #difference: Difference | null = null;
  #edits = new LiveEdits([], () => 0);

  constructor(core: CoreApi, around: Surroundings) {
    this.#core = core;
    this.#around = around;
    this.catalog = parse(core.catalog()) as Catalog;
    this.#traceColumns = this.catalog.frame.trace.length;
    this.#seqColumn = this.catalog.frame.header.indexOf('traceSeq');
    this.#cpusColumn = this.catalog.frame.header.indexOf('cpus');
    this.#revisionColumn = this.catalog.frame.header.indexOf('layoutRevision');
    this.#eventsColumn = this.catalog.frame.header.indexOf('events');
  }

  /** Checks without running. */
  check(scenario: unknown): Checked {
    return parse(this.#core.check(JSON.stringify(scenario))) as Checked;
  }

  /** The machine of a scenario, expanded without running it. */
  machine(scenario: unknown): Calls['machine']['result'] {
    try {
      return this.#read(scenario, (plan) => ({ tree: parse(plan.machine_tree()) as MachineTree }));
    } catch (error) {
      return { problems: problemsOf(error) };
    }
  }

  /** Has the core read a scenario, once for all that is made of it. */
  #read<T>(scenario: unknown, make: (plan: PlanApi) => T): T {
    const plan = this.#core.plan(JSON.stringify(scenario));
    try {
      return make(plan);
    } finally {
      plan.free();
    }
  }

  /** Replaces all lanes; the old ones stay when the scenario is refused. */
  async configure(args: Calls['configure']['args']): Promise<Calls['configure']['result']> {
    let made: readonly LaneApi[];
    let tree: MachineTree;
    let scenario: Scenario;
    try {
      [scenario, tree, made] = this.#read(args.scenario, (plan) => {
        const read = parse(plan.scenario()) as Scenario;
        const lanes = read.schedulers.map((_, i) => plan.lane(i));
        return [read, parse(plan.machine_tree()) as MachineTree, lanes];
      });
    } catch (error) {
      return { problems: problemsOf(error) };
    }
    const { keyframeBytes } = this.#around;
    if (keyframeBytes !== undefined)
      for (const lane of made) lane.set_room(Math.floor(keyframeBytes / made.length));
    for (const slot of this.#slots) slot.lane.free();
    this.#slots = made.map((lane) => ({
      lane,
      traceSeq: 0,
      fresh: true,
      revision: -1,
      metrics: new Float64Array(),
      metricsAt: -Infinity,
      residentsAt: -Infinity,
      detailAt: -Infinity,
      present: '',
    }));
    this.#edits = new LiveEdits(
      scenario.groups.map((g) => g.name),
      (lane) => lane.frame()[this.#eventsColumn] ?? 0,
    );
    this.#editsChanged = true;
    this.#difference = null;
    const { at, position = null } = args;
    await this.#travel(async () => {
      if (at === 'opening') await this.#open(scenario, tree);
      else await this.#toPosition(at, position);
    });
    return { scenario, moment: this.#moment(true), tree };
  }

  /** Goes to a moment worth looking at. */
  async #open(scenario: Scenario, tree: MachineTree): Promise<void> {
    const [first] = this.#slots;
    if (!first) return;
    const wanted = this.#wanted;
    const search = findOpening(first.lane, this.catalog, scenario, tree.core);
    const breathe = this.#breather();
    let next = search.next();
    while (next.done !== true && wanted === this.#wanted) {
      await breathe();
      next = search.next();
    }
    if (next.done !== true) return;
    await this.#to(next.value);
    // Where one of them is over already there is nothing to compare.
    const over = this.#slots.filter((s) => s.lane.is_finished()).map((s) => s.lane.now());
    if (over.length > 0) await this.#to(Math.floor(Math.min(...over) / OPENS_AT_PART));
  }

  /** Called between pieces of work, lets messages in when enough was done since the last time. */
  #breather(): () => Promise<void> {
    let since = this.#around.clock();
    return async () => {
      if (this.#around.clock() - since < BUDGET_MS) return;
      await this.#around.breathe();
      since = this.#around.clock();
    };
  }

  /** One slice of work towards `untilNs`. */
  advance(untilNs: number): Moment {
    this.#slice(this.#clamped(untilNs));
    return this.#moment(false);
  }

  /** Any time; the future is run through, the past comes from keyframes of the core. */
  async seek(ns: number, position: Position | null = null): Promise<Moment> {
    this.#isSeeking = true;
    try {
      await this.#travel(() => this.#toPosition(this.#clamped(ns), position));
    } finally {
      this.#isSeeking = false;
    }
    for (const slot of this.#slots) slot.fresh = true;
    return this.#moment(true);
  }

  /** Steps one lane and takes the others to the same time. */
  async step({ lane, kind, back, about }: Calls['step']['args']): Promise<Calls['step']['result']> {
    const slot = this.#slots[lane] ?? this.#slots[0];
    if (!slot) throw new Error('no lane to step');
    const wanted = this.#wanted;
    const before = this.#now();
    let found: boolean | undefined;
    await this.#travel(async () => {
      for (;;) {
        found = slot.lane.step(kind, back, about.task, about.cpu, MAX_EVENTS);
        if (found !== undefined || wanted !== this.#wanted) break;
        await this.#around.breathe();
      }
    });
    // A lane that has come to its end long ago does not bring the others back.
    const at = back ? slot.lane.now() : Math.max(before, slot.lane.now());
    for (const other of this.#slots) {
      if (back) other.fresh = true;
      if (other === slot) continue;
      if (at < other.lane.now())
        while (!other.lane.seek_some(at, MAX_EVENTS)) await this.#around.breathe();
      else await this.#run(other.lane, at);
    }
    return { moment: this.#moment(true), found: found === true };
  }

  /** Long work that is under way is no longer wanted: it stops where it is. */
  cancel(): void {
    this.#wanted += 1;
  }

  /** The same, if that work is a seek: another one follows. */
  cancelSeek(): void {
    if (this.#isSeeking) this.cancel();
  }

  /** How far the lanes have come that are on their way to another time; null when there is none. */
  get reachedNs(): number | null {
    return this.#isUnderWay ? this.#now() : null;
  }

  async #travel(go: () => Promise<void>): Promise<void> {
    this.#isUnderWay = true;
    try {
      await go();
    } finally {
      this.#isUnderWay = false;
    }
  }

  /** Whose view of the queues is told from now on. */
  watch(cpu: number | null): Moment {
    this.#watched = cpu;
    for (const slot of this.#slots) slot.detailAt = -Infinity;
    return this.#moment(true);
  }

  /** The present, with digests. */
  look(): Moment {
    completeInstant(this.#slots.map((s) => s.lane));
    return this.#moment(true);
  }

  /** A change in every lane or in one. */
  async edit(args: Calls['edit']['args']): Promise<Calls['edit']['result']> {
    const lanes = this.#slots.map((s) => s.lane);
    const { problems, wentBack } = await this.#edits.make(args, lanes, this.#now(), () =>
      this.#around.breathe(),
    );
    if (wentBack) for (const slot of this.#slots) slot.fresh = true;
    this.#editsChanged = true;
    this.#difference?.restart();
    return { problems, moment: this.#moment(true) };
  }

  /** Decisions of a lane. */
  decisions(q: DecisionQuery): readonly DecisionView[] {
    const { from, newer, max, task, cpu, kind } = q;
    return parse(this.#lane(q.lane).decisions(from, newer, max, task, cpu, kind)) as DecisionView[];
  }

  /** Looks for the first difference of two lanes, while both run. */
  compare(lanes: readonly [number, number] | null): void {
    this.#difference =
      lanes && new Difference(this.#lane(lanes[0]), this.#lane(lanes[1]), this.catalog);
  }

  /** Who ran where: single slices, or stretches where these are too many. */
  past({ lane, fromNs, toNs, columns, most }: Calls['past']['args']): Past {
    const api = this.#lane(lane);
    const rows = api.slices(fromNs, toNs, most);
    if (rows) return { kind: 'slices', fromNs, toNs, rows };
    const span = new Float64Array(2);
    const words = api.stretches(fromNs, toNs, columns, span);
    const [begin = fromNs, lengthNs = 1] = span;
    return { kind: 'stretches', fromNs: begin, toNs, lengthNs, words };
  }

  /** States at regular times. */
  samples({ lane, fromNs, toNs, tasks, most }: Calls['samples']['args']): Float64Array {
    return this.#lane(lane).samples(fromNs, toNs, Uint32Array.from(tasks), most);
  }

  /** Migrations of a lane by reason and distance. */
  moves(lane: number): Float64Array {
    return this.#lane(lane).moves();
  }

  /** A histogram of a lane. */
  histogram(lane: number, id: string): Float64Array {
    return this.#lane(lane).histogram(id);
  }

  /** How often each reason was given in a lane. */
  reasonCounts(lane: number): Float64Array {
    return this.#lane(lane).reason_counts();
  }

  /** Why something is as it is. */
  explain(lane: number, of: WhyOf): Why {
    return whyOf(this.#lane(lane), of, this.catalog);
  }

  /** Digests of every shipped scenario. */
  shippedDigests(): string {
    return this.#core.digests();
  }

  #lane(i: number): LaneApi {
    const slot = this.#slots[i];
    if (!slot) throw new Error(`there is no lane ${String(i + 1)}`);
    return slot.lane;
  }

  #clamped(ns: number): number {
    const end = Math.max(0, ...this.#slots.map((s) => s.lane.end_ns()));
    // What is no number would never be reached.
    return Math.min(end, Math.max(0, Math.floor(ns) || 0));
  }

  /** The clock of all lanes. One that is over stays at its end while the others go on. */
  #now(): number {
    const going = this.#slots.filter((s) => !s.lane.is_finished());
    return going.length > 0
      ? Math.min(...going.map((s) => s.lane.now()))
      : Math.max(0, ...this.#slots.map((s) => s.lane.now()));
  }

  #done(lane: LaneApi, until: number): boolean {
    return lane.now() >= until || lane.is_finished();
  }

  /** Works for one budget. Returns whether `until` was reached. */
  #slice(until: number, but: LaneApi | null = null): boolean {
    const start = this.#around.clock();
    let said = start;
    for (;;) {
      const open = this.#slots.filter((s) => s.lane !== but && !this.#done(s.lane, until));
      if (open.length === 0) return true;
      const now = Math.min(...open.map((s) => s.lane.now()));
      const target = Math.min(until, Math.floor(now + this.#chunkNs));
      const before = this.#around.clock();
      for (const { lane } of open) {
        while (!this.#done(lane, target)) {
          lane.advance(target, MAX_EVENTS);
          // A stretch that was cheap up to now may be dear: many threads begin at once, say.
          const now = this.#around.clock();
          if (now - said < ALIVE_EVERY_MS) continue;
          said = now;
          this.#around.alive();
        }
      }
      const after = this.#around.clock();
      // The chunk is sized by what the last one cost, so that lanes meet within the budget.
      if (after - before > BUDGET_MS / 2) this.#chunkNs = Math.max(1_000, this.#chunkNs / 2);
      else if (after - before < BUDGET_MS / 8)
        this.#chunkNs = Math.min(MAX_CHUNK_NS, this.#chunkNs * 2);
      if (after - start >= BUDGET_MS) return false;
    }
  }

  async #toPosition(at: number, position: Position | null): Promise<void> {
    const exact = (position && this.#slots[position.lane]?.lane) ?? null;
    await this.#to(at, exact);
    if (!exact || !position) return;
    const wanted = this.#wanted;
    while (!exact.seek_event(position.event, at, MAX_EVENTS) && wanted === this.#wanted)
      await this.#around.breathe();
  }

  /** Takes all lanes to a time; `but` goes there by another way. */
  async #to(ns: number, but: LaneApi | null = null): Promise<void> {
    const wanted = this.#wanted;
    const lanes = this.#slots.map((s) => s.lane).filter((lane) => lane !== but);
    // To the nearest state that is kept, which may lie ahead: the run may have been there before.
    for (const lane of lanes) lane.seek_some(ns, 1);
    while (!this.#slice(ns, but) && wanted === this.#wanted) await this.#around.breathe();
    if (wanted !== this.#wanted) {
      await this.#meet();
      return;
    }
    // The last events of that very instant.
    const breathe = this.#breather();
    for (const lane of lanes)
      while (!lane.seek_some(ns, MAX_EVENTS) && wanted === this.#wanted) await breathe();
  }

  /** Lanes that were stopped on their way come to the same time: states that are kept lie at different ones. */
  async #meet(): Promise<void> {
    const wanted = this.#wanted;
    const going = this.#slots.filter((s) => !s.lane.is_finished());
    if (going.length === 0) return;
    const at = Math.max(...going.map((s) => s.lane.now()));
    for (const { lane } of this.#slots)
      while (lane.now() > at && !lane.seek_some(at, MAX_EVENTS)) await this.#around.breathe();
    while (!this.#slice(at) && wanted === this.#wanted) await this.#around.breathe();
  }

  async #run(lane: LaneApi, ns: number): Promise<void> {
    const breathe = this.#breather();
    const wanted = this.#wanted;
    while (!this.#done(lane, ns) && wanted === this.#wanted) {
      lane.advance(ns, MAX_EVENTS);
      await breathe();
    }
  }

  #moment(withDigest: boolean): Moment {
    const at = this.#around.clock();
    const lanes = this.#slots.map((slot) => this.#laneMoment(slot, withDigest, at));
    let edits: readonly TimedEdit[] | null = null;
    if (this.#editsChanged) {
      // A lane that is over takes no edits any more.
      const slot = this.#slots.find((s) => !s.lane.is_finished()) ?? this.#slots[0];
      edits = parse(slot?.lane.edits() ?? '[]') as TimedEdit[];
      this.#editsChanged = false;
    }
    return {
      nowNs: this.#now(),
      endNs: Math.max(...this.#slots.map((s) => s.lane.end_ns())),
      finished: this.#slots.every((s) => s.lane.is_finished()),
      lanes,
      differNs: this.#difference?.look(withDigest ? 100 : 1) ?? null,
      edits,
    };
  }

  #laneMoment(slot: Slot, withDigest: boolean, at: number): LaneMoment {
    const { lane } = slot;
    const frame = lane.frame();
    const seq = frame[this.#seqColumn] ?? 0;
    const revision = frame[this.#revisionColumn] ?? 0;
    const continues = !slot.fresh && seq >= slot.traceSeq && seq - slot.traceSeq <= MAX_TRACE;
    const from = continues ? slot.traceSeq : Math.max(0, seq - MAX_TRACE);
    const trace = lane.trace(from, MAX_TRACE);
    let names: LaneNames | null = null;
    if (slot.fresh || revision !== slot.revision) {
      const { groups, taskGroup } = parse(lane.task_groups()) as Pick<
        LaneNames,
        'groups' | 'taskGroup'
      >;
      names = { revision, tasks: parse(lane.task_names()) as string[], groups, taskGroup };
    }
    let present: Present | null = null;
    if (withDigest || at - slot.metricsAt >= METRICS_EVERY_MS) {
      slot.metrics = lane.metrics();
      const json = lane.present();
      if (withDigest || json !== slot.present) present = parse(json) as Present;
      slot.present = json;
      slot.metricsAt = at;
    }
    let residents: Float64Array | null = null;
    if (withDigest || slot.fresh || at - slot.residentsAt >= RESIDENTS_EVERY_MS) {
      residents = lane.residents();
      slot.residentsAt = at;
    }
    let detail: LaneMoment['detail'] = null;
    const cpu = this.#watched;
    const isKnown = cpu !== null && cpu < (frame[this.#cpusColumn] ?? 0);
    if (isKnown && (withDigest || slot.fresh || at - slot.detailAt >= DETAIL_EVERY_MS)) {
      detail = { cpu, detail: parse(lane.queue_detail(cpu)) as QueueDetail };
      slot.detailAt = at;
    }
    const isNew = slot.fresh || this.#editsChanged;
    const shape = isNew ? (parse(lane.queue_shape()) as QueueShape) : null;
    slot.traceSeq = seq;
    slot.fresh = false;
    slot.revision = revision;
    const digest = withDigest ? lane.digest() : null;
    return {
      frame,
      trace,
      traceContinues: continues,
      names,
      residents,
      shape,
      detail,
      present,
      metrics: slot.metrics.slice(),
      fault: faultOf(lane),
      digest,
    };
  }

  /** Columns of a trace row, for tests. */
  get traceColumns(): number {
    return this.#traceColumns;
  }
}
