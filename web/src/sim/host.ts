/**
 * The worker's side: owns lanes and answers requests. It knows nothing of messages or of the generated package, so
 * that tests can run it in place. It has all lanes of a scenario, or some of them beside other workers; then
 * `lane-group.ts` coordinates them.
 *
 * All lanes share one clock. They advance in chunks, and every lane reaches the end of a chunk within the budget. So
 * all lanes always show the same time.
 */
import type { CoreApi, LaneApi, PlanApi } from './lane-api';
import type {
  Calls,
  DecisionQuery,
  LanesUpdate,
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
import type { Scenario } from './types/Scenario';
import type { TimedEdit } from './types/TimedEdit';
import { Difference } from './difference';
import { completeInstant, LiveEdits, MAX_EVENTS, OwnLanes } from './live-edit';
import { findOpening } from './opening';
import { beforeItIsOver, blockOf, BUDGET_MS, partsOf, SLICE_MS } from './parts';
import { type Columns, columnsOf, Slot } from './slot';
import { Trail } from './trail';
import { whyOf } from './why';

/** How often work that cannot be interrupted reports that it goes on. */
const ALIVE_EVERY_MS = 500;
/** Longest chunk: simulated time that a lane runs before the others catch up. */
const MAX_CHUNK_NS = 200_000_000;
/** Looks per update at the trails of compared lanes: while time runs, and while it stands. */
const LOOKS = 1;
const ALL_LOOKS = 100;

/** Functions that the host gets from its worker. */
export interface HostServices {
  /** A clock in ms. */
  clock(): number;
  /** Lets waiting messages in, and tells the page that work goes on. */
  breathe(): Promise<void>;
  /** Tells the page that work goes on, without letting messages in. */
  alive(): void;
  /** Memory for the kept states of all lanes; without it the core chooses. */
  readonly keyframeBytes?: number;
}

const parse = (json: string): unknown => JSON.parse(json);

const NOTHING_YET: LanesUpdate = {
  nowNs: 0,
  endNs: 0,
  finished: false,
  lanes: [],
  differNs: null,
  edits: null,
  overNs: null,
  workMs: 0,
};

/** The problems in an error that the core threw; rethrows an error without problems. */
export function problemsOf(error: unknown): readonly Problem[] {
  if (!(error instanceof Error) && typeof error !== 'string') throw error;
  const text = typeof error === 'string' ? error : error.message;
  if (!text.startsWith('{')) throw error;
  return (parse(text) as { errors: readonly Problem[] }).errors;
}

/** Runs lanes; see the module comment. */
export class Host {
  readonly #core: CoreApi;
  readonly #services: HostServices;
  readonly catalog: Catalog;
  #slots: Slot[] = [];
  readonly #columns: Columns;
  #chunkNs = 1_000_000;
  #editsChanged = true;
  #wanted = 0;
  #isSeeking = false;
  #isUnderWay = false;
  #watched: number | null = null;
  #workMs = 0;
  /** The search for the moment at which the scenario opens. */
  #search: (() => Generator<undefined, number>) | null = null;
  /** Two lanes of this worker that are compared. */
  #compared: {
    readonly difference: Difference;
    readonly a: Trail;
    readonly b: Trail;
  } | null = null;
  /** The trails that updates contain, by lane. */
  readonly #trails = new Map<number, Trail>();
  #edits = new LiveEdits();
  #own: OwnLanes;

  constructor(core: CoreApi, services: HostServices) {
    this.#core = core;
    this.#services = services;
    this.catalog = parse(core.catalog()) as Catalog;
    this.#columns = columnsOf(this.catalog);
    this.#own = this.#ownLanes();
  }

  /** The lanes that edits are made in. */
  get own(): OwnLanes {
    return this.#own;
  }

  #ownLanes(): OwnLanes {
    return new OwnLanes(
      this.#slots.map((s) => s.lane),
      (lane) => lane.frame()[this.#columns.events] ?? 0,
      () => this.#services.breathe(),
    );
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

  /** Lets the core read a scenario once, for everything that is made from it. */
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
    const { at, position = null, part = { index: 0, most: 1 } } = args;
    let parts = 1;
    try {
      [scenario, tree, made] = this.#read(args.scenario, (plan) => {
        const read = parse(plan.scenario()) as Scenario;
        const all = read.schedulers.length;
        parts = partsOf(all, part.most);
        const [from, to] = blockOf(all, parts, part.index);
        const lanes = Array.from({ length: to - from }, (_, i) => plan.lane(from + i));
        return [read, parse(plan.machine_tree()) as MachineTree, lanes];
      });
    } catch (error) {
      return { problems: problemsOf(error) };
    }
    const { keyframeBytes } = this.#services;
    if (keyframeBytes !== undefined)
      for (const lane of made)
        lane.set_room(Math.floor(keyframeBytes / scenario.schedulers.length));
    for (const slot of this.#slots) slot.lane.free();
    this.#slots = made.map((lane) => new Slot(lane, this.#columns));
    this.#own = this.#ownLanes();
    this.#edits = new LiveEdits();
    this.#editsChanged = true;
    this.#compared = null;
    this.#trails.clear();
    const [first] = made;
    this.#search = first ? () => findOpening(first, this.catalog, scenario, tree.core) : null;
    if (parts > 1) return { scenario, tree, parts, moment: NOTHING_YET };
    await this.#whileUnderWay(async () => {
      if (at === 'opening') await this.#open();
      else await this.#toPosition(at, position);
    });
    return { scenario, tree, parts, moment: this.#moment(true) };
  }

  /**
   * The moment at which the scenario opens, found in its first lane, which stands anywhere afterwards; null if the
   * search was given up.
   */
  opening(): Promise<number | null> {
    return this.#whileUnderWay(() => this.#findOpening());
  }

  async #findOpening(): Promise<number | null> {
    const wanted = this.#wanted;
    const search = this.#search?.();
    if (!search) return null;
    const breathe = this.#breather();
    let next = search.next();
    while (next.done !== true && wanted === this.#wanted) {
      await breathe();
      next = search.next();
    }
    return next.done === true ? next.value : null;
  }

  /** Goes to the moment at which the scenario opens. */
  async #open(): Promise<void> {
    const at = await this.#findOpening();
    if (at === null) return;
    await this.#to(at);
    const over = this.#overNs();
    if (over !== null) await this.#to(beforeItIsOver(over));
  }

  /** A function to call between pieces of work: it lets messages in when a budget has been spent since the last time. */
  #breather(): () => Promise<void> {
    let since = this.#services.clock();
    return async () => {
      if (this.#services.clock() - since < BUDGET_MS) return;
      await this.#services.breathe();
      since = this.#services.clock();
    };
  }

  /** One slice of work towards `untilNs`. */
  advance(untilNs: number, budgetMs = SLICE_MS): LanesUpdate {
    const began = this.#services.clock();
    this.#slice(this.#clamped(untilNs), null, budgetMs);
    this.#workMs = this.#services.clock() - began;
    return this.#moment(false);
  }

  /** Goes to any time: runs to a future time, and goes to the past from keyframes of the core. */
  async seek(ns: number, position: Position | null = null): Promise<LanesUpdate> {
    this.#isSeeking = true;
    try {
      await this.#whileUnderWay(() => this.#toPosition(this.#clamped(ns), position));
    } finally {
      this.#isSeeking = false;
    }
    for (const slot of this.#slots) slot.isFresh = true;
    return this.#moment(true);
  }

  /** Steps one lane and takes the others to the same time. */
  async step({ lane, kind, back, about }: Calls['step']['args']): Promise<Calls['step']['result']> {
    const slot = this.#slots[lane] ?? this.#slots[0];
    if (!slot) throw new Error('no lane to step');
    const wanted = this.#wanted;
    const before = this.#now();
    let found: boolean | undefined;
    await this.#whileUnderWay(async () => {
      for (;;) {
        found = slot.lane.step(kind, back, about.task, about.cpu, MAX_EVENTS);
        if (found !== undefined || wanted !== this.#wanted) break;
        await this.#services.breathe();
      }
    });
    // A lane that ended long ago does not take the others back to its end.
    const at = back ? slot.lane.now() : Math.max(before, slot.lane.now());
    await this.#bring(at, back, slot);
    return { moment: this.#moment(true), found: found === true, atNs: slot.lane.now() };
  }

  /** Takes the lanes to the time of a step; `but` is there already. */
  async #bring(ns: number, back: boolean, but: Slot | null): Promise<void> {
    for (const slot of this.#slots) {
      if (back) slot.isFresh = true;
      if (slot === but) continue;
      const { lane } = slot;
      if (ns < lane.now()) while (!lane.seek_some(ns, MAX_EVENTS)) await this.#services.breathe();
      else await this.#run(lane, ns);
    }
  }

  /** Goes to the time of a step in a lane of another worker. */
  async follow({ ns, back }: Calls['follow']['args']): Promise<LanesUpdate> {
    await this.#bring(ns, back, null);
    return this.#moment(true);
  }

  /** Cancels long work in progress: it stops where it is. */
  cancel(): void {
    this.#wanted += 1;
  }

  /** Cancels work in progress if it is a seek, because another seek follows. */
  cancelSeek(): void {
    if (this.#isSeeking) this.cancel();
  }

  /** Time that the lanes have reached on their way to another time; null when they are not on their way. */
  get reachedNs(): number | null {
    return this.#isUnderWay ? this.#now() : null;
  }

  async #whileUnderWay<T>(go: () => Promise<T>): Promise<T> {
    this.#isUnderWay = true;
    try {
      return await go();
    } finally {
      this.#isUnderWay = false;
    }
  }

  /** The CPU whose view of the queues updates contain from now on. */
  watch(cpu: number | null): LanesUpdate {
    this.#watched = cpu;
    for (const slot of this.#slots) slot.lookAnew();
    return this.#moment(true);
  }

  /** The present, with digests. */
  look(): LanesUpdate {
    completeInstant(this.#slots.map((s) => s.lane));
    return this.#moment(true);
  }

  /** A change in every lane or in one. */
  async edit(args: Calls['edit']['args']): Promise<Calls['edit']['result']> {
    const { problems, wentBack } = await this.#edits.make(args, this.#own, this.#now());
    return { problems, moment: this.edited(wentBack) };
  }

  /** The present after edits. */
  edited(wentBack: boolean): LanesUpdate {
    if (wentBack) for (const slot of this.#slots) slot.isFresh = true;
    this.#editsChanged = true;
    if (this.#compared) {
      const { difference, a, b } = this.#compared;
      for (const each of [difference, a, b]) each.restart();
    }
    for (const trail of this.#trails.values()) trail.restart();
    return this.#moment(true);
  }

  /** Decisions of a lane. */
  decisions(q: DecisionQuery): readonly DecisionView[] {
    const { from, newer, max, task, cpu, kind } = q;
    return parse(this.#lane(q.lane).decisions(from, newer, max, task, cpu, kind)) as DecisionView[];
  }

  /** Searches for the first difference of two lanes from now on, while both run. */
  compare(lanes: readonly [number, number] | null): void {
    this.#compared = lanes && {
      difference: new Difference(),
      a: this.#trailOf(lanes[0]),
      b: this.#trailOf(lanes[1]),
    };
  }

  /** Adds the trails of these lanes to updates from now on, for comparison elsewhere. */
  trail(lanes: readonly number[]): void {
    const trails = lanes.map((lane) => [lane, this.#trailOf(lane)] as const);
    this.#trails.clear();
    for (const [lane, trail] of trails) this.#trails.set(lane, trail);
  }

  #trailOf(lane: number): Trail {
    return new Trail(this.#lane(lane), this.catalog);
  }

  /** When the two compared lanes first differ, as far as is known. */
  #look(looks: number): number | null {
    if (!this.#compared) return null;
    const { difference, a, b } = this.#compared;
    if (difference.foundNs === null) difference.take(a.read(looks), b.read(looks));
    return difference.foundNs;
  }

  /** The past of a lane: single slices, or totals of equal spans where there are too many slices. */
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

  /** What control groups had left. */
  limitsPast({ lane, fromNs, toNs }: Calls['limitsPast']['args']): Float64Array {
    return this.#lane(lane).limits_past(fromNs, toNs);
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

  /** The decisions behind something. */
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
    // A value that is not a number becomes 0: it would never be reached.
    return Math.min(end, Math.max(0, Math.floor(ns) || 0));
  }

  /** The clock of all lanes. A finished lane stays at its end while the others go on. */
  #now(): number {
    const going = this.#slots.filter((s) => !s.lane.is_finished());
    return going.length > 0
      ? Math.min(...going.map((s) => s.lane.now()))
      : Math.max(0, ...this.#slots.map((s) => s.lane.now()));
  }

  /** When the first lane finished. */
  #overNs(): number | null {
    const over = this.#slots.filter((s) => s.lane.is_finished()).map((s) => s.lane.now());
    return over.length > 0 ? Math.min(...over) : null;
  }

  #done(lane: LaneApi, until: number): boolean {
    return lane.now() >= until || lane.is_finished();
  }

  /** Works for one budget. Returns whether `until` was reached. */
  #slice(until: number, but: LaneApi | null = null, budgetMs = BUDGET_MS): boolean {
    const start = this.#services.clock();
    let said = start;
    for (;;) {
      const open = this.#slots.filter((s) => s.lane !== but && !this.#done(s.lane, until));
      if (open.length === 0) return true;
      const now = Math.min(...open.map((s) => s.lane.now()));
      const target = Math.min(until, Math.floor(now + this.#chunkNs));
      const before = this.#services.clock();
      for (const { lane } of open) {
        while (!this.#done(lane, target)) {
          lane.advance(target, MAX_EVENTS);
          // This chunk may take much longer than the last one, for example when many threads start at once.
          const now = this.#services.clock();
          if (now - said < ALIVE_EVERY_MS) continue;
          said = now;
          this.#services.alive();
        }
      }
      const after = this.#services.clock();
      // The next chunk depends on the cost of this one, so that lanes meet within the budget.
      if (after - before > BUDGET_MS / 2) this.#chunkNs = Math.max(1_000, this.#chunkNs / 2);
      else if (after - before < BUDGET_MS / 8)
        this.#chunkNs = Math.min(MAX_CHUNK_NS, this.#chunkNs * 2);
      if (after - start >= budgetMs) return false;
    }
  }

  async #toPosition(at: number, position: Position | null): Promise<void> {
    const exact = (position && this.#slots[position.lane]?.lane) ?? null;
    await this.#to(at, exact);
    if (!exact || !position) return;
    const wanted = this.#wanted;
    while (!exact.seek_event(position.event, at, MAX_EVENTS) && wanted === this.#wanted)
      await this.#services.breathe();
  }

  /** Takes all lanes to a time, except `but`, which goes there in another way. */
  async #to(ns: number, but: LaneApi | null = null): Promise<void> {
    const wanted = this.#wanted;
    const lanes = this.#slots.map((s) => s.lane).filter((lane) => lane !== but);
    // First to the nearest kept state. It may lie ahead, because the run may have been there before.
    for (const lane of lanes) lane.seek_some(ns, 1);
    while (!this.#slice(ns, but) && wanted === this.#wanted) await this.#services.breathe();
    if (wanted !== this.#wanted) {
      await this.#meet();
      return;
    }
    // Then the last events of that instant.
    const breathe = this.#breather();
    for (const lane of lanes)
      while (!lane.seek_some(ns, MAX_EVENTS) && wanted === this.#wanted) await breathe();
  }

  /** Takes lanes that were stopped on their way to the same time: their kept states lie at different times. */
  async #meet(): Promise<void> {
    const wanted = this.#wanted;
    const going = this.#slots.filter((s) => !s.lane.is_finished());
    if (going.length === 0) return;
    const at = Math.max(...going.map((s) => s.lane.now()));
    for (const { lane } of this.#slots)
      while (lane.now() > at && !lane.seek_some(at, MAX_EVENTS)) await this.#services.breathe();
    while (!this.#slice(at) && wanted === this.#wanted) await this.#services.breathe();
  }

  async #run(lane: LaneApi, ns: number): Promise<void> {
    const breathe = this.#breather();
    const wanted = this.#wanted;
    while (!this.#done(lane, ns) && wanted === this.#wanted) {
      lane.advance(ns, MAX_EVENTS);
      await breathe();
    }
  }

  #moment(withDigest: boolean): LanesUpdate {
    const telling = {
      withDigest,
      isEdited: this.#editsChanged,
      watched: this.#watched,
      atMs: this.#services.clock(),
    };
    const looks = withDigest ? ALL_LOOKS : LOOKS;
    const lanes = this.#slots.map((slot, i) => {
      const moment = slot.moment(telling);
      const trail = this.#trails.get(i);
      return trail ? { ...moment, trail: trail.read(looks) } : moment;
    });
    let edits: readonly TimedEdit[] | null = null;
    if (this.#editsChanged) {
      // A finished lane takes no more edits.
      const slot = this.#slots.find((s) => !s.lane.is_finished()) ?? this.#slots[0];
      edits = parse(slot?.lane.edits() ?? '[]') as TimedEdit[];
      this.#editsChanged = false;
    }
    return {
      nowNs: this.#now(),
      endNs: Math.max(...this.#slots.map((s) => s.lane.end_ns())),
      finished: this.#slots.every((s) => s.lane.is_finished()),
      lanes,
      differNs: this.#look(looks),
      edits,
      overNs: this.#overNs(),
      workMs: this.#workMs,
    };
  }

  /** Columns of a trace row, for tests. */
  get traceColumns(): number {
    return this.catalog.frame.trace.length;
  }
}
