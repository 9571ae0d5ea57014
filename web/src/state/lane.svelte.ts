/** One lane as the page sees it: the newest frame and its past. */
import type { Since } from './answer/shares';
import { inLanguage } from '../lib/language';
import type { FirstPlaces } from './first-places';
import { Frame, FrameSchema } from '../sim/frame';
import { History } from '../sim/history';
import type { Reasons } from '../sim/reasons';
import type { LaneUpdate, LaneNames, WatchedQueue } from '../sim/protocol';
import type { Present } from '../sim/types/Present';
import type { QueueShape } from '../sim/types/QueueShape';
import { OWN } from '../sim/policy/own';
import { TraceSchema } from '../sim/trace';
import type { Catalog } from '../sim/types/Catalog';
import type { LaneColumns } from '../sim/types/LaneColumns';
import type { LimitNow } from '../sim/types/LimitNow';
import type { MachineTree } from '../sim/types/MachineTree';
import type { SchedulerChoice } from '../sim/types/SchedulerChoice';
import type { SchedulerEntry } from '../sim/types/SchedulerEntry';
import type { SchedulerFault } from '../sim/types/SchedulerFault';
import { type LaneName, laneNames } from './lane-names';

const NO_NAMES: LaneNames = { revision: -1, tasks: [], groups: [], taskGroup: [], cgroups: [] };

const NO_PRESENT: Present = {
  ...{ groups: [], pinned: [], stopped: [] },
  ...{ applications: [], sliceHints: [], tunables: {} },
};

const NO_SHAPE: QueueShape = { global: [], perCpu: [], gauge: null, beat: null, domains: [] };

/** The columns of a lane. Those of a program have any names, so they are told from the page's by a prefix. */
function ownColumns(scheduler: string, columns: LaneColumns | null): LaneColumns | null {
  if (scheduler !== OWN || !columns) return columns;
  const own = (all: LaneColumns['cpu']) => all.map((c) => ({ ...c, id: `own:${c.id}` }));
  return { task: own(columns.task), cpu: own(columns.cpu) };
}

/** A scheduler running the workload of the page. */
export class LaneState {
  readonly index: number;
  /** Id of its scheduler. */
  readonly scheduler: string;
  readonly entry: SchedulerEntry | null;
  /** What the reason numbers in its records mean. */
  readonly reasons: Reasons;
  /** The name that a lesson gives the lane; empty if none. */
  #label = $state('');
  #isSecret = $state(false);
  readonly #title: string;
  #name = $state('');
  #era = $state('');
  readonly tree: MachineTree;
  readonly history: History;
  readonly #schema: FrameSchema;
  /** The newest frame, which canvases draw. Not reactive: while time runs pictures are drawn anyway. */
  frame!: Frame;
  /** The frame for text and numbers: updated a few times a second while time runs, and reactive. */
  calm = $state.raw<Frame>() as Frame;
  /** The control groups that have a limit, at the time of `frame`. */
  limits: readonly LimitNow[] = [];
  /** The same at the time of `calm`; reactive. */
  calmLimits = $state.raw<readonly LimitNow[]>([]);
  /** Measures that came with `frame`; readable after `calm` has followed. */
  #measured: Float64Array = new Float64Array();
  /** By thread: 1 for a background thread. An array, as each picture asks for hundreds. */
  #background: Uint8Array = new Uint8Array();
  names = $state.raw<LaneNames>(NO_NAMES);
  /** Rows of cache, thread and bytes; changes with `frame`, or less often. */
  residents: Float64Array = new Float64Array();
  /** Form of its queues. */
  shape = $state.raw<QueueShape>(NO_SHAPE);
  /** What the watched CPU sees of the queues. While time runs it may be a moment old, as `residents` may. */
  detail: WatchedQueue | null = null;
  /** The values of its threads and tunables. */
  present = $state.raw<Present>(NO_PRESENT);
  /** The last change, from which sums count. */
  since = $state.raw<Since | null>(null);
  metrics = $state.raw<Float64Array>(new Float64Array());
  readonly #metricAt: ReadonlyMap<string, number>;
  /** Where the threads begin, if somebody looked before the run began. */
  first = $state.raw<FirstPlaces | null>(null);
  digest = $state<string | null>(null);
  /** Set when a wrong answer of its scheduler has ended it. */
  fault = $state.raw<SchedulerFault | null>(null);
  /** Thread id by name. */
  readonly idOf = $derived(new Map(this.names.tasks.map((name, id) => [name, id])));
  /** Ids of the threads of the workload. */
  readonly jobs = $derived(
    this.names.tasks.map((_, id) => id).filter((id) => !this.isBackground(id)),
  );

  constructor(
    index: number,
    choice: SchedulerChoice,
    context: { catalog: Catalog; tree: MachineTree },
    first: LaneUpdate,
  ) {
    this.index = index;
    this.scheduler = choice.id;
    const known = context.catalog.schedulers.find((s) => s.id === choice.id) ?? null;
    const columns = ownColumns(choice.id, first.columns ?? null);
    this.entry =
      known && columns ? { ...known, taskColumns: columns.task, cpuColumns: columns.cpu } : known;
    this.#title = this.entry?.name ?? choice.id;
    const [called] = laneNames([choice], context.catalog);
    this.call(called ?? { name: this.#title, era: '' });
    this.tree = context.tree;
    this.#metricAt = new Map(context.catalog.metrics.map((m, i) => [m.id, i]));
    this.#schema = new FrameSchema(context.catalog, choice.id, columns);
    const trace = new TraceSchema(context.catalog, choice.id);
    this.reasons = trace.reasons;
    this.history = new History(trace, context.tree.core.length);
    this.take(first);
  }

  /** Gives it the words by which it is told from other lanes. */
  call({ name, era }: LaneName): void {
    this.#name = name;
    this.#era = era;
  }

  /** Name of the scheduler, e.g. `BFS`. */
  get title(): string {
    return this.#label === '' ? this.#title : this.#label;
  }

  /** Name of the lane: that of its scheduler, with its era or number where others have the same, e.g. `EEVDF 6.6`. */
  get name(): string {
    return this.#label === '' ? this.#name : this.#label;
  }

  /**
   * Name of the era, e.g. `0.318 · Linux 2.6.34`, after the tunables that tell lanes apart. Empty for baselines, and
   * while a lesson hides the scheduler.
   */
  get era(): string {
    return this.#isSecret ? '' : this.#era;
  }

  /**
   * Shows a label in place of the scheduler's name; empty: the scheduler's name again. While it is secret the era is
   * hidden too.
   */
  label(text: string, isSecret: boolean): void {
    this.#label = text;
    this.#isSecret = isSecret;
  }

  /**
   * Takes the newest frame. Text follows at once while time stands or when threads have changed, else when `tell` is
   * called.
   */
  take(moment: LaneUpdate): void {
    if (moment.names) {
      const { groups, taskGroup } = moment.names;
      this.names = moment.names;
      this.#background = Uint8Array.from(taskGroup, (g) =>
        groups[g]?.background === true ? 1 : 0,
      );
    }
    this.history.append(moment.trace, moment.traceContinues);
    if (moment.shape) this.shape = inLanguage(moment.shape);
    if (moment.detail) this.detail = moment.detail;
    if (moment.residents) this.residents = moment.residents;
    this.frame = new Frame(this.#schema, moment.frame);
    this.limits = moment.limits;
    this.history.settle(this.frame.cpu('curr'));
    this.digest = moment.digest;
    if (moment.present) this.present = moment.present;
    if (this.fault?.message !== moment.fault?.message) this.fault = moment.fault;
    this.#measured = moment.metrics;
    // Only updates of standing time have digests.
    if (moment.digest !== null || moment.names !== null) this.tell();
  }

  /** Text and numbers follow the newest frame now. */
  tell(): void {
    this.calm = this.frame;
    // Without control groups nothing changes here.
    if (this.limits.length + this.calmLimits.length > 0) this.calmLimits = this.limits;
    this.metrics = this.#measured;
  }

  /** A measure of the core by its id; NaN where it is not known. */
  metric(id: string): number {
    return this.metrics[this.#metricAt.get(id) ?? -1] ?? Number.NaN;
  }

  /** Whether a thread belongs to the background. */
  isBackground(task: number): boolean {
    return this.#background[task] === 1;
  }

  /** Name of a thread. */
  nameOf(task: number): string {
    return this.names.tasks[task] ?? `thread ${String(task)}`;
  }
}
