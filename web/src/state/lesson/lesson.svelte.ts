/**
 * A lesson beside the laboratory: the learner's step, answers and run. From these follow when time stands still,
 * where the run goes, and what may be shown.
 */
import { untrack } from 'svelte';
import { clamp } from '../../lib/units';
import { type LessonPlace, type TeacherOptions, writeLesson } from '../../link/lesson-place';
import { LessonClient, type LessonWorker } from '../../sim/lesson/client';
import type { LessonAnswer } from '../../sim/lesson/protocol';
import type { LessonEntry } from '../../sim/types/LessonEntry';
import type { LessonText } from '../../sim/types/LessonText';
import type { Scenario } from '../../sim/types/Scenario';
import type { StepView } from '../../sim/types/StepView';
import type { KeptAnswer, KeptLesson } from '../../storage/lesson-answers';
import type { Config } from '../config.svelte';
import type { Look } from '../look.svelte';
import type { Playback } from '../playback.svelte';
import type { Prefs } from '../prefs.svelte';
import type { Run } from '../run.svelte';
import type { Selection } from '../selection.svelte';
import type { TimeWindow } from '../time-window.svelte';
import { Evaluation } from './evaluation.svelte';
import { type Action, actionOf } from './action';
import { explainsExits } from './exits';
import { saveAnswers } from './leave';
import { questionOf } from './say-answer';
import { LessonStage } from './stage.svelte';
import { Votes } from './votes.svelte';
import {
  bareText,
  firstOpen,
  holds,
  isRevealed,
  kindOf,
  nameOfStep,
  type Predict,
  predictsAt,
  predictsOf,
  questionId,
  stepsOf,
} from './steps';

/** What a lesson needs of the page. */
export interface LessonPage {
  readonly config: Config | null;
  readonly kept: {
    readonly lessons: ReadonlyMap<string, KeptLesson>;
    keepLesson(id: string, lesson: KeptLesson | null, save: () => void): void;
  };
  readonly look: Look;
  readonly playback: Playback;
  readonly prefs: Prefs;
  readonly run: Run;
  readonly selection: Selection;
  readonly window: TimeWindow;
  /** Runs a scenario in place of the present one; changes are counted against `origin`. */
  readonly editing: {
    runInstead(scenario: Scenario, origin: Scenario, atNs: number): Promise<void>;
  };
  readonly speech: { say(text: string): void };
}

/** See the module comment. */
export class LessonState {
  readonly entry: LessonEntry;
  readonly text: LessonText;
  readonly teach: TeacherOptions;
  readonly evaluation: Evaluation;
  readonly client: LessonClient;
  readonly #page: LessonPage;
  /** The step that is shown, from 1. */
  step = $state(1);
  /** The answers, by the question's name. */
  answers = $state.raw<ReadonlyMap<string, KeptAnswer>>(new Map());
  /** The answer that the learner has chosen but not kept. */
  draft = $state.raw<LessonAnswer | null>(null);
  /** Where the run stands. */
  readonly stage: LessonStage;
  /** Whether the transfer's answer is shown. */
  isAnswerShown = $state(false);
  /** Whether the end was reached. */
  isDone = $state(false);
  /** Shows of hands while presenting. */
  readonly votes = new Votes();
  /**
   * The learner's answers while presenting. They are put aside, as the audience begins with none; its answers are not
   * saved.
   */
  #away: { readonly answers: ReadonlyMap<string, KeptAnswer> } | null = null;
  /** Whether the answers come from a link: then they are another person's and are not kept here. */
  #isForeign: boolean;
  /** The step that a link leads to after the guess. */
  #goal: number | null = null;
  #askedAtMs = performance.now();
  #stop: () => void = () => undefined;

  constructor(
    page: LessonPage,
    entry: LessonEntry,
    text: LessonText,
    place: LessonPlace,
    client: LessonClient,
  ) {
    this.#page = page;
    this.entry = entry;
    this.text = text;
    this.teach = place.teach;
    this.client = client;
    this.evaluation = new Evaluation(client);
    this.stage = new LessonStage(page, this);
    this.#isForeign = place.answers.size > 0;
    const kept = page.kept.lessons.get(entry.id);
    this.answers = this.#isForeign
      ? new Map(
          [...place.answers].flatMap(([step, value]) => {
            const id = questionId(this.lesson, step);
            return id === null ? [] : [[id, { value, seconds: 0 }] as const];
          }),
        )
      : new Map(Object.entries(kept?.answers ?? {}));
    this.isDone = !this.#isForeign && kept?.isDone === true;
    this.step = this.#open(place.step);
    this.#goal = this.step < place.step ? place.step : null;
  }

  /** Starts a client of its own worker. */
  static client(spawn: () => LessonWorker): LessonClient {
    return new LessonClient(spawn);
  }

  get lesson() {
    return this.text.lesson;
  }

  /** How many steps the learner goes through. */
  get steps(): number {
    const all = stepsOf(this.lesson);
    return this.teach.lastStep === null ? all : Math.min(all, this.teach.lastStep);
  }

  get kind() {
    return kindOf(this.lesson, this.step);
  }

  get name(): string {
    return nameOfStep(this.lesson, this.step);
  }

  /** The name of the step's question; null at a step without one. */
  get id(): string | null {
    return questionId(this.lesson, this.step);
  }

  readonly #has = (id: string): boolean => this.answers.has(id);

  /** The answer at a step; null if there is none. */
  answerAt(number: number): LessonAnswer | null {
    const id = questionId(this.lesson, number);
    return (id !== null ? this.answers.get(id)?.value : undefined) ?? null;
  }

  /** The choice at this step: the draft, or the kept answer. */
  readonly chosen = $derived.by(() => this.draft ?? this.answerAt(this.step));
  /** Whether the step's question has an answer that was kept. */
  readonly isKept = $derived.by(() => this.answerAt(this.step) !== null);
  /** Whether predictions may be skipped: allowed by the teacher, and while presenting. */
  get maySkip(): boolean {
    return this.teach.maySkip || this.#page.prefs.isPresenting;
  }

  /** Whether time stands still until a guess is kept, or skipped where it may be. */
  readonly isHeld = $derived.by(() => holds(this.lesson, this.step, this.#has, this.maySkip));
  /** The predictions that this step is about. */
  readonly predicts = $derived.by(() => predictsAt(this.lesson, this.step));
  /** What the step shows; null while that is not known. */
  readonly view = $derived.by((): StepView | null => this.viewAt(this.step));

  /** What a step shows, as far as it may be shown. */
  viewAt(number: number): StepView | null {
    return this.evaluation.view(number, this.#askedWith(number));
  }

  /** The last step that may be shown, from 1. */
  readonly lastOpen = $derived.by(() => this.#open(this.steps));

  /** The value of the run at a step, in the form of its answer; null until it may be shown. */
  revealedAt(number: number): number | readonly number[] | null {
    const step = this.lesson.steps[number - 1];
    const isKnown = step?.kind === 'observe' || isRevealed(this.lesson, number, this.step);
    return isKnown && this.answerAt(number) !== null ? (this.viewAt(number)?.truth ?? null) : null;
  }

  /** Digests of the lanes of the learner's run at its end, joined by hyphens. */
  async digest(): Promise<string> {
    return (await this.#page.run.digestsAtEnd(this.stage.own)).join('-');
  }

  /** The lesson on paper, as HTML. */
  worksheet(isForTeacher: boolean): Promise<string> {
    const { entry, stage, text } = this;
    const scenario = stage.own;
    const of = { lesson: entry.id, language: text.language, scenario, isForTeacher };
    return this.client.call('worksheet', of, true);
  }

  /** What the run says about a prediction; null until it may be shown. */
  revealed(predict: Predict): StepView | null {
    if (!isRevealed(this.lesson, predict.number, this.step) || !this.#has(predict.id)) return null;
    return this.viewAt(predict.number);
  }

  /** What the run says about the guesses, at the first step that explains. */
  readonly said = $derived.by(() => {
    const first = this.lesson.steps.findIndex(({ kind }) => kind === 'explain') + 1;
    if (this.step !== first || this.teach.hidesFeedback) return [];
    return this.predicts.flatMap((predict) => {
      const say = this.revealed(predict)?.say ?? '';
      return say === '' ? [] : [{ predict, ask: this.wordsAt(predict.number), say }];
    });
  });

  /** The step's words, with the numbers of the run or without. */
  readonly words = $derived.by(() => this.wordsAt(this.step));

  /** The words of a step. What a question says about other runs is known before the guess. */
  wordsAt(number: number): string {
    const bare = bareText(this.lesson, number);
    const words = this.evaluation.words(number);
    return words === '' ? bare : words;
  }

  /** The first question that is asked; without the sentences before it, where they name numbers of the run. */
  get firstAsk(): string {
    const [first] = predictsOf(this.lesson);
    const words = first ? bareText(this.lesson, first.number) : '';
    return words.includes('…') ? (words.split(/(?<=[.?!…]) /).at(-1) ?? '') : words;
  }

  /**
   * Whether the step explains the whole run: the last exits of all lanes, and what came after the moment. A phone has
   * no room for it.
   */
  readonly isKnown = $derived.by(
    () =>
      !this.#page.prefs.isNarrow && !this.stage.hasLeft && explainsExits(this.lesson, this.step),
  );

  /** The same to a class: the explanation stands beside the machine. */
  readonly isWhole = $derived.by(() => this.#page.prefs.isPresenting && this.isKnown);

  /** Whether the lesson does not yet say which schedulers its lanes have. */
  readonly isSecret = $derived.by(() => this.step < (this.lesson.laneLabelsUntil ?? 0));

  /** The labels of the lanes; empty: lanes have the names of their schedulers. */
  readonly labels = $derived.by((): readonly string[] => {
    const { laneLabels, laneLabelsUntil } = this.lesson;
    return laneLabelsUntil === undefined || this.isSecret ? laneLabels : [];
  });

  /** The address of this step. */
  readonly fragment = $derived.by(() => this.fragmentOf(this.step));

  /** The address of a step; it has the learner's answers only if asked for. */
  fragmentOf(step: number, hasAnswers = false): string {
    const answers = new Map<number, LessonAnswer>();
    if (hasAnswers || this.#isForeign)
      for (let number = 1; number < stepsOf(this.lesson); number += 1) {
        const answer = this.answerAt(number);
        if (answer !== null) answers.set(number, answer);
      }
    return writeLesson({ number: this.entry.number, step, teach: this.teach, answers });
  }

  /** Begins: the page runs the lesson's scenario, and follows its changes. */
  begin(): void {
    // The page's copy of the run; to take it over later would cancel what a link's first step waits for.
    this.stage.follow(this.#page.config?.scenario ?? null);
    this.#evaluate(true);
    this.#stop = $effect.root(() => {
      $effect(() => {
        const { playback, run } = this.#page;
        playback.isHeld = this.isHeld;
        void run.lanes;
        // The lanes of a changed run have other names.
        if (this.stage.future === null) run.label(this.labels, this.isSecret);
      });
      $effect(() => {
        const { isPresenting } = this.#page.prefs;
        untrack(() => {
          this.#present(isPresenting);
        });
      });
      $effect(() => {
        if (this.stage.follow(this.#page.config?.scenario ?? null)) this.#evaluate();
      });
    });
    void this.stage.arrive();
  }

  /** Ends: the page keeps its run, the worker is closed. */
  end(): void {
    this.stage.end();
    this.#stop();
    this.evaluation.close();
    const { playback, run } = this.#page;
    playback.isHeld = false;
    run.label([]);
  }

  /** Presenting begins without answers; afterwards the answers of this device are back. */
  #present(isOn: boolean): void {
    if (isOn === (this.#away !== null)) return;
    const { answers } = this;
    this.answers = isOn ? new Map() : (this.#away?.answers ?? answers);
    this.#away = isOn ? { answers } : null;
    this.draft = null;
    if (!isOn) for (const lane of this.#page.run.lanes) lane.first = null;
    if (!isOn) this.goTo(this.step);
    // A class sees where everybody begins, and what came after the moment.
    else if (this.kind === 'situation' || this.isWhole) void this.stage.arrive();
  }

  #evaluate(isAtOnce = false): void {
    const { entry, text } = this;
    const of = { lesson: entry.id, language: text.language, scenario: this.stage.own };
    this.evaluation.begin(of, isAtOnce);
    const numbers = Array.from({ length: this.lesson.steps.length + 1 }, (_, i) => i + 1);
    const isQuiet = (n: number) => ['run', 'observe', 'explain'].includes(kindOf(this.lesson, n));
    this.evaluation.ahead(numbers.filter(isQuiet));
  }

  /** The furthest open step on the way to a step. */
  #open(to: number): number {
    const wanted = clamp(to, 1, this.steps);
    if (this.maySkip) return wanted;
    return firstOpen(this.lesson, wanted - 1, this.#has)?.number ?? wanted;
  }

  /** Whether there is a next step that may be shown. */
  get canGoOn(): boolean {
    return this.step < this.steps && this.#open(this.step + 1) > this.step;
  }

  /** Goes to a step, or as far towards it as the kept guesses allow. */
  goTo(number: number): void {
    const to = this.#open(number);
    if (to === this.step) return;
    this.step = to;
    this.draft = null;
    this.isAnswerShown = false;
    this.#askedAtMs = performance.now();
    if (to === this.steps) this.isDone = true;
    this.#keep();
    this.#page.speech.say(`Step ${String(to)} of ${String(this.steps)}: ${this.name}`);
    void this.stage.arrive();
  }

  /** One step back or on. */
  move(by: 1 | -1): void {
    this.goTo(this.step + by);
  }

  /**
   * One step back or on while presenting. A clicker has two keys, so going on also keeps the chosen answer, and a run
   * begins when its step is reached.
   */
  moveClassroom(by: 1 | -1): void {
    if (by > 0 && this.draft !== null) this.keep();
    const before = this.step;
    this.move(by);
    const isNew = this.step > before && this.kind === 'run' && !this.stage.done.has(this.step);
    if (isNew) void this.stage.play();
  }

  /** The present action of the large button. */
  get action(): Action {
    return actionOf(this, this.#page.playback.isPlaying);
  }

  /** Chooses an option of the open question, from 1; returns whether that option exists. */
  chooseOption(option: number): boolean {
    const question = questionOf(this.lesson, this.step);
    const isThere = question?.type === 'choice' && option <= question.options.length;
    if (!isThere || this.isKept) return false;
    this.choose(option);
    return true;
  }

  /** The learner chooses; nothing is kept yet. */
  choose(answer: LessonAnswer | null): void {
    this.draft = answer;
  }

  /** Keeps what was chosen. */
  keep(): void {
    const { draft, id } = this;
    if (draft === null || id === null) return;
    const before = this.answers.get(id)?.seconds ?? 0;
    const seconds = Math.round((performance.now() - this.#askedAtMs) / 1000);
    this.answers = new Map([...this.answers, [id, { value: draft, seconds: before + seconds }]]);
    this.draft = null;
    this.#keep();
    void this.find();
  }

  /** Keeps the guess and goes on; a run that follows begins at once. */
  keepAndGoOn(): void {
    this.keep();
    if (!this.isKept && !this.maySkip) return;
    const goal = this.#goal;
    this.goTo(goal !== null && this.#open(goal) === goal ? goal : this.step + 1);
    if (goal !== null && this.step >= goal) this.#goal = null;
    if (this.kind === 'run') void this.stage.play();
  }

  #keep(): void {
    if (this.#isForeign || this.#away) return;
    const answers = Object.fromEntries(this.answers);
    const { step, isDone } = this;
    this.#write({ answers, step, isDone, at: Date.now() });
  }

  #write(lesson: KeptLesson | null): void {
    this.#page.kept.keepLesson(this.entry.id, lesson, () => {
      saveAnswers(this);
    });
  }

  /** Forgets all answers of this lesson and starts again. */
  forget(): void {
    this.answers = new Map();
    this.stage.done.clear();
    this.isDone = false;
    this.#isForeign = false;
    this.#write(null);
    this.goTo(1);
  }

  /** Computes what this step shows: its own words, and the results of the guesses before it. */
  async find(): Promise<StepView | null> {
    const { evaluation, lesson, step } = this;
    evaluation.forget();
    const first = predictsOf(lesson)[0];
    for (const { ask, id, number } of new Set([...(first ? [first] : []), ...this.predicts])) {
      const isDue = this.#has(id) && isRevealed(lesson, number, step);
      if (isDue || ask.includes('{'))
        void evaluation.want(number, isDue ? this.#askedWith(number) : null);
    }
    if (this.kind === 'sheet') {
      await Promise.all(this.#questions().map((n) => evaluation.want(n, this.#askedWith(n))));
      return null;
    }
    if (this.kind === 'predict' || this.kind === 'situation') return null;
    // The results of a change and of the transfer are computed when the learner asks for them.
    if (this.kind === 'change' && !this.stage.done.has(step)) return null;
    return evaluation.want(step, this.#askedWith(step));
  }

  /** The steps with questions that were answered. */
  #questions(): readonly number[] {
    const numbers = this.lesson.steps.map((_, i) => i + 1);
    return numbers.filter((n) => this.answerAt(n) !== null);
  }

  /** The answer that a step is computed with. */
  #askedWith(number: number): LessonAnswer | null {
    const kind = kindOf(this.lesson, number);
    return kind === 'predict' || kind === 'observe' ? this.answerAt(number) : null;
  }
}
