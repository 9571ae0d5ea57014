/**
 * The run: worker, lanes, time. Only this part of the page talks to the worker. After a fault it restores everything
 * from scenario, edits and time.
 */
import { inLanguage } from '../lib/language';
import { processors } from '../browser/processors';
import { messageOf } from '../lib/assert';
import { type Fault, SimClient, Superseded, type WorkerLike } from '../sim/client';
import { FirstAnswers } from '../sim/first/answers';
import type { Recordings } from '../sim/first/recording';
import { LaneGroup } from '../sim/lane-group';
import type { Edit } from '../sim/property/edit';
import { lessonList } from '../sim/lesson/list';
import { OWN, runsOwnPolicy, withOwnPolicies } from '../sim/policy/own';
import type { PolicyPackage } from '../sim/policy/package';
import type {
  About,
  CallName,
  Calls,
  DecisionQuery,
  LanesUpdate,
  Past,
  Position,
  Problem,
  StepKind,
  Why,
  WhyOf,
} from '../sim/protocol';
import type { Catalog } from '../sim/types/Catalog';
import type { DecisionView } from '../sim/types/DecisionView';
import type { Checked } from '../sim/types/Checked';
import type { LessonEntry } from '../sim/types/LessonEntry';
import type { MachineTree } from '../sim/types/MachineTree';
import type { Scenario } from '../sim/types/Scenario';
import { LaneState } from './lane.svelte';
import { laneNamesAt } from './lane-names';

/** Shortest time between two changes of the clock: a faster one could not be read. */
const CALM_MS = 80;
/** The numbers of the lanes change with every third change of the clock: faster ones could not be read. */
const CALM_BEATS = 3;

/** A journey to another time that takes longer than this reports its progress. */
const CALM_JOURNEY_MS = 300;

/** The remaining time is estimated after this long: before, the estimate would be poor. */
const CALM_GUESS_S = 1;

/** Of tests, and of pages that nobody gave the package. */
const WITHOUT_POLICIES: PolicyPackage = {
  missing: 'this copy of the page was built without own policies',
  load: () => Promise.reject(new Error('missing')),
};

/** A journey to another time that takes noticeable time. */
export interface Journey {
  readonly atNs: number;
  /** Where it ends; null while that is being searched for. */
  readonly toNs: number | null;
  /** Part that is done, 0 to 1; null where the end is not known. */
  readonly part: number | null;
  /** Seconds until it is done. */
  readonly leftS: number | null;
}

/** The time at which a scenario says that it opens, before the core has read it; null: its moment is searched for. */
function openingOf(given: unknown): number | null {
  const { opening } = { opening: null, ...(given as object | null) };
  const { atNs } = { atNs: null, ...(opening as object | null) };
  return typeof atNs === 'number' && atNs >= 0 ? atNs : null;
}

/** The scenario that runs now, or the problems of the one that was refused. */
export interface Configured {
  readonly scenario: Scenario | null;
  readonly problems: readonly Problem[];
}

/** How the worker is. */
export type Status = 'loading' | 'ready' | 'restoring' | 'failed';

/** Receives faults; `attempt` counts faults in a row without a good answer between them. */
export type FaultListener = (fault: Fault, attempt: number) => void;

/** Worker and lanes. */
export class Run {
  catalog = $state.raw<Catalog | null>(null);
  /** What lists show of lessons; known before the catalog is. */
  lessons = $state.raw<readonly LessonEntry[]>([]);
  /** Numbers of the lessons that need own policies, where the page has none. */
  withheld: readonly number[] = [];
  lanes = $state.raw<readonly LaneState[]>([]);
  /** The machine of all lanes, as the core numbers its CPUs. */
  tree = $state.raw<MachineTree | null>(null);
  /** The newest time. Not reactive, like the frames of the lanes. */
  nowNs = 0;
  /**
   * The time for text and sliders: reactive, and updated a few times a second while time runs, as each update costs a
   * layout.
   */
  calmNs = $state(0);
  #calmAt = -Infinity;
  #beat = 0;
  endNs = $state(0);
  finished = $state(false);
  status = $state<Status>('loading');
  /** Rises with every jump of time, so that views forget the past that they remember. */
  jumps = $state(0);
  /** The last event of the lane that was stepped; null where the time alone identifies the moment. */
  position = $state.raw<Position | null>(null);
  /** The journey to another time; null while there is none that takes noticeable time. */
  journey = $state.raw<Journey | null>(null);
  /** Rises with each journey that was given up. */
  #halts = 0;
  /** What runs. */
  #scenario: Scenario | null = null;
  /** Edits and steps under way. */
  #bound = 0;
  /** When the lanes of a fork first differ. */
  differNs = $state<number | null>(null);
  readonly #client: SimClient;
  readonly #spawn: () => WorkerLike;
  readonly #policies: PolicyPackage;
  /** Whether the worker was started with own policies. */
  #hasPolicies = false;
  /** Whether own policies are being loaded. */
  isLoadingPolicies = $state(false);
  /** What the first worker would answer first; null when it was used. */
  #recordings: Recordings | null;
  #faults = 0;
  #watched: number | null = null;
  /** Takes over the core's list of edits. */
  onEdits: ((edits: NonNullable<LanesUpdate['edits']>) => void) | null = null;
  /** Receives faults. */
  onFault: FaultListener | null = null;

  constructor(
    spawn: () => WorkerLike,
    policies: PolicyPackage = WITHOUT_POLICIES,
    recordings: Recordings | null = null,
  ) {
    this.#spawn = spawn;
    this.#policies = policies;
    this.#recordings = recordings;
    const begin = () => this.#begin();
    this.#client = new SimClient(begin, (fault) => {
      this.#faults += 1;
      this.status = 'restoring';
      this.onFault?.(fault, this.#faults);
    });
  }

  /** Lanes are distributed over as many workers as there are processors. The first core is waited for with recordings. */
  #begin(): WorkerLike {
    const group = new LaneGroup(this.#spawn, processors());
    const recordings = this.#recordings;
    this.#recordings = null;
    return recordings ? new FirstAnswers(group, recordings) : group;
  }

  /** Another run, with a worker of its own. */
  apart(): Run {
    return new Run(this.#spawn, this.#policies);
  }

  /** Ends the worker for good. */
  close(): void {
    this.#client.dispose();
  }

  /** Requests without an answer. */
  get pending(): number {
    return this.#client.pending;
  }

  /** Starts (or replaces) the worker and loads the core. */
  async load(): Promise<Catalog> {
    this.#client.respawn();
    const loading = [this.#client.call('load', null), lessonList()] as const;
    const [catalog, lessons] = await Promise.all(loading);
    // Those that need own policies are only where these are.
    const all = this.#policies.missing === null;
    this.lessons = inLanguage(lessons.filter(({ ownPolicies }) => all || !ownPolicies));
    this.withheld = all ? [] : lessons.flatMap((one) => (one.ownPolicies ? [one.number] : []));
    this.catalog = inLanguage(withOwnPolicies(catalog));
    return this.catalog;
  }

  /** Why this page has no own policies; empty if it has them. */
  get withoutPolicies(): string {
    return this.#policies.missing ?? '';
  }

  /** Whether they are being made behind the page. */
  get arePoliciesComing(): boolean {
    return this.#policies.isComing ?? false;
  }

  /** The schedulers that lists offer. */
  readonly offered = $derived.by(() => {
    // A recording comes with a trace; nobody chooses it.
    const all = (this.catalog?.schedulers ?? []).filter(({ family }) => family !== 'recorded');
    return this.#policies.missing === null ? all : all.filter(({ id }) => id !== OWN);
  });

  /** Whether a scenario needs own policies, which the worker does not have. */
  #isForPolicies(scenario: unknown): boolean {
    return !this.#hasPolicies && runsOwnPolicy(scenario);
  }

  /**
   * Has the worker run own policies if a scenario needs it. Returns why it cannot. A worker with them replaces the present
   * one only when it is sure that the scenario will run in it.
   */
  async #prepare(scenario: unknown): Promise<readonly Problem[]> {
    const { errors } = await this.#checkOwn(scenario);
    if (errors.length > 0) return errors;
    this.#hasPolicies = true;
    await this.load();
    return [];
  }

  /** Checks a scenario with an own policy, in a worker of its own. The package is loaded for that. */
  async #checkOwn(scenario: unknown): Promise<Checked> {
    const refuse = (message: string): Checked => ({
      scenario: null,
      errors: [{ path: 'schedulers', message }],
    });
    if (this.#policies.missing !== null) return refuse(this.#policies.missing);
    this.isLoadingPolicies = true;
    try {
      await this.#policies.load();
      return await this.#apart((client) => client.call('check', { scenario }));
    } catch (error) {
      return refuse(
        `own policies could not be loaded (${messageOf(error)}); they need the network once`,
      );
    } finally {
      this.isLoadingPolicies = false;
    }
  }

  /** The scenario with defaults, and its problems. */
  check(scenario: unknown): Promise<Checked> {
    if (this.#isForPolicies(scenario)) return this.#checkOwn(scenario);
    return this.#client.call('check', { scenario });
  }

  /** The machine of a scenario, or the scenario's problems. */
  machine(scenario: unknown): Promise<Calls['machine']['result']> {
    return this.#client.call('machine', { scenario });
  }

  /**
   * Runs a scenario up to a time. The answer is the scenario with every default filled in; if it has problems,
   * nothing changes.
   */
  async configure(
    given: unknown,
    at: number | 'opening',
    position: Position | null = null,
  ): Promise<Configured> {
    if (this.#isForPolicies(given)) {
      const problems = await this.#prepare(given);
      if (problems.length > 0) return { scenario: null, problems };
    }
    this.#client.newEpoch();
    const halts = this.#halts;
    const result = await this.#withProgress(at === 'opening' ? openingOf(given) : at, () =>
      this.#client.call('configure', { scenario: given, at, position }),
    );
    if ('problems' in result) return { scenario: null, problems: result.problems };
    const { catalog } = this;
    const { scenario, moment, tree } = result;
    const done = { scenario, problems: [] };
    if (!catalog) return done;
    this.tree = tree;
    this.#scenario = scenario;
    this.lanes = moment.lanes.flatMap((lane, i) => {
      const choice = scenario.schedulers[i];
      return choice ? [new LaneState(i, choice, { catalog, tree }, lane)] : [];
    });
    this.jumps += 1;
    this.position = halts === this.#halts ? position : null;
    // The edits are those of the answered scenario. The page still holds the one before, whose edits go into undo.
    this.#setTime({ ...moment, edits: null });
    this.#nameLanes();
    this.status = 'ready';
    // A worker that replaced another one does not know which CPU to watch.
    if (this.#watched !== null) await this.watch(this.#watched);
    return done;
  }

  /** Labels that replace the schedulers' names; empty: the names again. They hold until another scenario runs. */
  label(labels: readonly string[], isSecret = false): void {
    this.lanes.forEach((lane, i) => {
      lane.label(labels[i] ?? '', isSecret);
    });
  }

  /** One slice towards a time. */
  async advance(untilNs: number): Promise<void> {
    this.#take(await this.#client.call('advance', { untilNs }));
    this.position = null;
    this.#faults = 0;
  }

  /** Any time. */
  async seek(ns: number, position: Position | null = null): Promise<void> {
    const halts = this.#halts;
    const moment = await this.#withProgress(ns, () => this.#client.call('seek', { ns, position }));
    this.jumps += 1;
    this.#take(moment);
    this.position = halts === this.#halts ? position : null;
  }

  /** Reports progress while the worker goes to another time. Of several journeys at once the newest reports. */
  async #withProgress<T>(toNs: number | null, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    let fromNs = Infinity;
    let shownMs = began + CALM_JOURNEY_MS - CALM_MS;
    const tell = (atNs: number): void => {
      const now = performance.now();
      fromNs = Math.min(fromNs, atNs);
      if (now - shownMs < CALM_MS) return;
      shownMs = now;
      const part = toNs === null || toNs <= fromNs ? null : (atNs - fromNs) / (toNs - fromNs);
      const goneS = (now - began) / 1000;
      const leftS = part && goneS >= CALM_GUESS_S ? (goneS * (1 - part)) / part : null;
      this.journey = { atNs, toNs, part, leftS };
    };
    this.#client.onReached = tell;
    try {
      return await work();
    } finally {
      if (this.#client.onReached === tell) {
        this.#client.onReached = null;
        this.journey = null;
      }
    }
  }

  /** Stops a journey to another time where it is. */
  async halt(): Promise<void> {
    this.#halts += 1;
    await this.#client.call('halt', null);
  }

  /** Whether a request waits for a seek to finish. */
  get isAwaited(): boolean {
    return this.#bound > 0;
  }

  /** Stops a seek where it is, unless a request waits for it to finish. */
  async cancelSeek(): Promise<void> {
    if (!this.isAwaited) await this.#client.call('cancelSeek', null);
  }

  /** Counts work that begins where earlier seeks end. */
  async #bind<T>(work: Promise<T>): Promise<T> {
    this.#bound += 1;
    try {
      return await work;
    } finally {
      this.#bound -= 1;
    }
  }

  /** One step forward or back in a lane: whether an event was found, or that the search was given up. */
  async step(
    lane: number,
    kind: StepKind,
    back: boolean,
    about: About,
  ): Promise<boolean | 'halted'> {
    const halts = this.#halts;
    const { moment, found } = await this.#withProgress(null, () =>
      this.#bind(this.#client.call('step', { lane, kind, back, about })),
    );
    if (back) this.jumps += 1;
    this.#take(moment);
    const event = this.lanes[lane]?.frame.head('events') ?? 0;
    this.position = kind === 'tick' ? null : { lane, event };
    return halts === this.#halts ? found : 'halted';
  }

  /** The CPU whose view of the queues the lanes report from now on. */
  async watch(cpu: number | null): Promise<void> {
    this.#watched = cpu;
    this.#take(await this.#client.call('watch', { cpu }));
  }

  /** The present with digests. */
  async look(): Promise<void> {
    this.#take(await this.#client.call('look', null));
  }

  /** A live edit, in all lanes or in one. While time stands, only the last edit of one drag counts. */
  async edit(edit: Edit, lane: number | null, drag: number | null): Promise<readonly Problem[]> {
    const { problems, moment } = await this.#bind(this.#client.call('edit', { edit, lane, drag }));
    this.#take(moment);
    this.position = null;
    return problems;
  }

  /**
   * A question about the lanes that run now. When others run by the time of the answer, nobody wants it, and it may be
   * that there is no such lane.
   */
  async #about<K extends CallName>(kind: K, args: Calls[K]['args']): Promise<Calls[K]['result']> {
    const { lanes } = this;
    const answer = await this.#client.call(kind, args).catch((error: unknown) => {
      throw lanes === this.lanes ? error : new Superseded();
    });
    if (lanes !== this.lanes) throw new Superseded();
    return answer;
  }

  /** Decisions of a lane. */
  decisions(query: DecisionQuery): Promise<readonly DecisionView[]> {
    return this.#about('decisions', query);
  }

  /** Searches for the first difference of two lanes from now on; null: no longer. */
  async compare(lanes: readonly [number, number] | null): Promise<void> {
    await this.#client.call('compare', { lanes });
  }

  /** The slices in a window of time. */
  past(args: Calls['past']['args']): Promise<Past> {
    return this.#about('past', args);
  }

  /** States over a window. */
  samples(args: Calls['samples']['args']): Promise<Float64Array> {
    return this.#about('samples', args);
  }

  /** What control groups had left over a window. */
  limitsPast(args: Calls['limitsPast']['args']): Promise<Float64Array> {
    return this.#about('limitsPast', args);
  }

  /** Migrations of a lane by reason and distance. */
  moves(lane: number): Promise<Float64Array> {
    return this.#about('moves', { lane });
  }

  /** A histogram of a lane. */
  histogram(lane: number, id: string): Promise<Float64Array> {
    return this.#about('histogram', { lane, id });
  }

  /** How often each reason was given in a lane. */
  reasonCounts(lane: number): Promise<Float64Array> {
    return this.#about('reasonCounts', { lane });
  }

  /** The decisions behind something. */
  explain(lane: number, of: WhyOf): Promise<Why> {
    return this.#about('explain', { lane, of });
  }

  /** Digests of all shipped scenarios, computed in a worker of their own. */
  shippedDigests(): Promise<string> {
    return this.#apart((client) => client.call('shippedDigests', null));
  }

  /** The digest of each lane of a scenario at its end, computed in a worker of its own. */
  digestsAtEnd(scenario: Scenario): Promise<readonly string[]> {
    return this.#apart(async (client) => {
      await client.call('load', null);
      const result = await client.call('configure', { scenario, at: scenario.end.atNs });
      if ('problems' in result) throw new Error('the scenario is refused');
      return result.moment.lanes.map(({ digest }) => digest ?? '');
    });
  }

  /** A lane from the start as text for other programs, made in its own worker. */
  exportTrace(args: Calls['export']['args']): Promise<Blob> {
    return this.#apart((client) => client.call('export', args));
  }

  /** Breaks the core, to test what happens then. */
  async fail(outOfMemory: boolean): Promise<void> {
    await this.#client.call('fail', { outOfMemory });
  }

  /** Work in its own worker, which the run does not wait for. */
  #apart<T>(work: (client: SimClient) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const client = new SimClient(
        () => this.#begin(),
        (fault) => {
          reject(new Error(fault.message));
        },
      );
      client.respawn();
      void work(client)
        .then(resolve, (error: unknown) => {
          reject(new Error(messageOf(error)));
        })
        .finally(() => {
          client.dispose();
        });
    });
  }

  /**
   * Lets text and sliders follow while time runs, if that is due. Called after a picture is painted: then text costs
   * one layout, and no canvas that sets its font has to wait for it.
   */
  tell(): void {
    const at = performance.now();
    if (at - this.#calmAt < CALM_MS) return;
    this.#calmAt = at;
    this.calmNs = this.nowNs;
    this.#beat = (this.#beat + 1) % CALM_BEATS;
    if (this.#beat === 0) for (const lane of this.lanes) lane.tell();
  }

  #take(moment: LanesUpdate): void {
    if (moment.lanes.length !== this.lanes.length) throw new Superseded();
    moment.lanes.forEach((lane, i) => this.lanes[i]?.take(lane));
    this.#setTime(moment);
  }

  #setTime(moment: LanesUpdate): void {
    this.nowNs = moment.nowNs;
    // Updates of standing time have digests.
    if (moment.lanes.some((lane) => lane.digest !== null)) {
      this.#calmAt = performance.now();
      this.calmNs = moment.nowNs;
    }
    this.endNs = moment.endNs;
    this.finished = moment.finished;
    this.differNs = moment.differNs;
    if (moment.edits) {
      if (this.#scenario) this.#scenario = { ...this.#scenario, edits: [...moment.edits] };
      this.onEdits?.(moment.edits);
    }
    // Only another program gives a lane another name.
    if (this.#scenario?.schedulers.some(({ id }) => id === OWN)) this.#nameLanes();
  }

  #nameLanes(): void {
    if (!this.catalog || !this.#scenario) return;
    const names = laneNamesAt(this.#scenario, this.catalog, this.nowNs);
    names.forEach((called, i) => this.lanes[i]?.call(called));
  }
}
