/** The answer line of the page: what is asked now, and what the reader has chosen in its place. */
import type { Scenario } from '../../sim/types/Scenario';
import type { Config } from '../config.svelte';
import type { LaneState } from '../lane.svelte';
import type { Run } from '../run.svelte';
import { sayEdited } from './edited';
import { type AnswerLine, answerLine } from './line';
import { ownLine } from './own-line';
import { OwnState } from './own.svelte';
import { type Asking, askingOf, type Choice, type Facts } from './rule';
import { begun } from './shares';
import type { LessonWorker } from '../../sim/lesson/client';

/** What the line needs of the page. */
interface Page {
  readonly config: Config | null;
  readonly run: { readonly lanes: readonly LaneState[] } & Pick<Run, 'calmNs' | 'status'>;
  warn?(sentences: readonly string[]): void;
}

/** What tells one run from another. */
type RunId = Pick<Scenario, 'groups' | 'machine'>;

/** See the module comment. */
export class AnswerState {
  /** What the reader has chosen; when it is empty, the scenario asks. */
  choice = $state.raw<Choice>({});
  /** The measure of the reader's own, whether it is the answer or not. */
  readonly own: OwnState;
  /** The expression with which the scenario answers its question. */
  readonly #asked: OwnState;
  readonly #page: Page;
  readonly #asking = $derived.by((): Asking | null => {
    const { config, run } = this.#page;
    if (!config || run.lanes.length === 0) return null;
    const asking = askingOf(config.scenario, this.#facts, this.choice);
    return this.isOwn ? { ...asking, question: this.own.text, by: 'reader' } : asking;
  });
  /** The run whose threads have slept, and the one whose threads have had deadlines: from then on the question stays. */
  #slept: RunId | null = null;
  #hadDeadlines: RunId | null = null;

  /** `spawn` starts the worker of the reader's own measure; without it there is none. */
  constructor(page: Page, spawn?: () => LessonWorker) {
    this.#page = page;
    this.own = new OwnState(page, spawn, () => this.isOwn);
    this.#asked = new OwnState(page, spawn, () => this.#isExpression);
  }

  /** Keeps the values of expressions up to date from now on. */
  follow(): () => void {
    const ends = [
      $effect.root(() => {
        $effect(() => {
          this.#asked.text = this.#page.config?.scenario.answer?.expression ?? '';
        });
      }),
      this.own.follow(),
      this.#asked.follow(),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  /** Whether an expression of the scenario is the answer. */
  get #isExpression(): boolean {
    return !this.isOwn && (this.#asking?.expression ?? null) !== null;
  }

  /** Whether the reader's own measure is the answer. */
  get isOwn(): boolean {
    return this.choice.isOwn === true && this.own.text.trim() !== '';
  }

  /** The question; null while nothing runs. */
  get asking(): Asking | null {
    return this.#asking;
  }

  /**
   * Whether bars show the work that was done: where threads slow each other down, unless the question is about shares
   * of CPU time.
   */
  get isOfWork(): boolean {
    const { asking } = this;
    if (!asking || asking.measure.id === 'share' || asking.measure.id === 'leastShare')
      return false;
    return this.#facts.shares;
  }

  /** The numbers of some lanes; null while nothing runs. */
  line(lanes: readonly LaneState[]): AnswerLine | null {
    if (!this.#asking) return null;
    const line = answerLine(this.#asking, lanes);
    if (this.isOwn) return ownLine(line, this.own);
    if (this.#isExpression) return ownLine(line, this.#asked, this.#asking);
    const edited = sayEdited(this.#page.config?.scenario.edits ?? [], lanes);
    return edited === '' ? line : { ...line, fair: edited };
  }

  /** Chooses another measure for the number or for the price. */
  choose(change: Choice): void {
    const isOther = change.measure !== undefined;
    this.choice = { ...this.choice, ...(isOther ? { isOwn: false } : {}), ...change };
  }

  get #facts(): Facts {
    const { config, run } = this.#page;
    const [lane] = run.lanes;
    if (!config || !lane)
      return { sleeps: false, hasDeadlines: false, cores: 1, threads: 0, shares: false };
    const { calm, tree, present } = lane;
    const { groups, machine } = config.scenario;
    const sleep = calm.task('sleepNs');
    if (begun(lane).some((t) => (sleep[t] ?? 0) > 0)) this.#slept = { groups, machine };
    if (Number.isFinite(lane.metric('missedDeadlines'))) this.#hadDeadlines = { groups, machine };
    const isThis = (run: RunId | null) => run?.groups === groups && run.machine === machine;
    return {
      sleeps: isThis(this.#slept),
      hasDeadlines: isThis(this.#hadDeadlines),
      cores: new Set(tree.core).size,
      threads: present.groups.reduce((sum, g) => sum + g.count, 0),
      shares: tree.thread.some((t) => t > 0) || groups.some((g) => (g.workingSetBytes ?? 0) > 0),
    };
  }
}
