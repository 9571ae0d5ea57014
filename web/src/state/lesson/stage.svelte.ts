/**
 * What a lesson does with the stage: where the run stands and stops at each step, and which future it shows beside
 * the learner's run or in its place.
 */
import { SvelteSet } from 'svelte/reactivity';
import { clamp } from '../../lib/units';
import type { PointView } from '../../sim/types/PointView';
import type { Scenario } from '../../sim/types/Scenario';
import type { StepView } from '../../sim/types/StepView';
import { DEFAULT_SPEED } from '../playback.svelte';
import { lanesOf } from './about';
import { besideOwn, changedLane } from './fork';
import { hasLeft } from './left';
import type { LessonPage, LessonState } from './lesson.svelte';
import { lastNs, longestNs } from './marks';
import { type Predict, predictsOf } from './steps';
import { firstPlacesOf } from '../first-places';

/** Seconds that a run takes to its stop, if the lesson does not set a speed. */
const PLAYED_S = 8;
/** Drawn s after a stop for which time passes slowly. */
const SLOW_S = 2;

/** After this time every thread that begins with the run has its first place. */
const PLACED_NS = 20_000_000;

/** Largest number that a learner may type for a seed of their own. */
export const MOST_NUMBER = 9999;

/** The part of a lesson that the stage follows. */
type Followed = Pick<
  LessonState,
  | 'entry'
  | 'evaluation'
  | 'find'
  | 'isKnown'
  | 'isSecret'
  | 'isWhole'
  | 'kind'
  | 'labels'
  | 'lesson'
  | 'predicts'
  | 'step'
  | 'revealed'
  | 'view'
>;

/** See the module comment. */
export class LessonStage {
  readonly #page: LessonPage;
  readonly #lesson: Followed;
  /** The changed run on the page, beside the learner's or in its place: its index among the futures. */
  future = $state<number | null>(null);
  /** The lane of the learner's run that stands beside the changed one; null where a change replaces all lanes. */
  #futureOf = $state<number | null>(null);
  /** Steps whose run has come to its stop, and changes that were made. */
  readonly done = new SvelteSet<number>();
  /** The learner's own run. */
  own = $state.raw<Scenario>() as Scenario;
  /** The lesson's run, with the learner's seed. */
  #origin: Scenario;
  /** The scenario on the page in place of the learner's run. */
  #shown = $state.raw<Scenario | null>(null);
  #visit = 0;
  /** The lanes that ran to their end. */
  #wholeOf: unknown = null;
  /** Whether the page shows another run than the lesson's. */
  readonly hasLeft = $derived.by(() => {
    const { config } = this.#page;
    if (!config) return false;
    const shown = this.future === null ? null : this.#shown;
    return hasLeft(config.scenario, shown ?? this.#origin);
  });

  constructor(page: LessonPage, lesson: Followed) {
    this.#page = page;
    this.#lesson = lesson;
    this.#origin = lesson.entry.scenario;
    this.own = lesson.entry.scenario;
  }

  /** Which lane of the learner's own run a lane of the page is, from 0; null: a changed one. */
  ownLane(index: number): number | null {
    if (this.hasLeft) return null;
    if (this.future === null) return index;
    return index === 0 ? this.#futureOf : null;
  }

  /** Takes over the learner's changes of the run; returns whether there were any. */
  follow(scenario: Scenario | null): boolean {
    if (!scenario || this.future !== null || scenario === this.own || this.hasLeft) return false;
    this.own = scenario;
    return true;
  }

  /** Cancels work in progress for a step. */
  end(): void {
    this.#visit += 1;
    this.#page.playback.stopAt(null);
  }

  /** Goes to the moment that the step shows. */
  async arrive(): Promise<void> {
    this.#visit += 1;
    const visit = this.#visit;
    const { playback, selection } = this.#page;
    playback.isPlaying = false;
    playback.stopAt(null);
    selection.clear();
    if (this.future !== null) await this.showOwn();
    this.#frame();
    this.#select();
    if (this.#lesson.kind === 'situation' || this.#lesson.kind === 'predict') await this.#toStart();
    const view = await this.#lesson.find();
    if (visit !== this.#visit || !view) return;
    if (this.#lesson.kind === 'run' && !this.done.has(this.#lesson.step)) this.#stopAt(view);
    else if (view.point && this.#lesson.kind !== 'change') {
      await this.#makeWhole();
      if (visit === this.#visit) await this.#goTo(view.point);
    }
  }

  /** A change is shown beside the lane that it compares. */
  #select(): void {
    const { lesson, step } = this.#lesson;
    const now = lesson.steps[step - 1];
    const [lane] = now?.kind === 'change' ? lanesOf(now.compare.value) : [];
    if (lane !== undefined && lane < this.#page.run.lanes.length) this.#page.selection.lane = lane;
  }

  /** What came later is shown beside the moment, so it is run first. */
  async #makeWhole(): Promise<void> {
    const { playback, run } = this.#page;
    if (!this.#lesson.isKnown || this.#wholeOf === run.lanes) return;
    const { lanes } = run;
    await playback.seek(run.endNs);
    this.#wholeOf = lanes;
  }

  /** A question about a run that the learner has not seen is asked at its start. */
  async #toStart(): Promise<void> {
    const { playback, run } = this.#page;
    const hasRun = this.#lesson.lesson.steps
      .slice(0, this.#lesson.step - 1)
      .some(({ kind }) => kind === 'run');
    if (!hasRun && run.nowNs > 0) await playback.seek(0);
    if (!hasRun && this.#page.prefs.isPresenting) await this.#findPlaces();
  }

  /** Where everybody begins, for a class: known after the first instant, and shown before it. */
  async #findPlaces(): Promise<void> {
    const { playback, run } = this.#page;
    const { lanes } = run;
    if (this.#lesson.kind !== 'situation' || lanes.every(({ first }) => first !== null)) return;
    await playback.tracked(async () => {
      await playback.lookAt(PLACED_NS);
      const found = lanes.map((lane) => firstPlacesOf(lane));
      await playback.lookAt(0);
      if (run.lanes !== lanes) return;
      for (const [i, lane] of lanes.entries()) lane.first = found[i] ?? null;
    });
  }

  /** Shows as much time as the question covers. */
  #frame(): void {
    const { kind, lesson, predicts } = this.#lesson;
    // Before the first question there is its axis, with nothing on it.
    const isBefore = kind === 'situation' && this.#page.prefs.isPresenting;
    const asked = isBefore ? predictsOf(lesson).slice(0, 1) : predicts;
    const revealed = (predict: Predict) => this.#lesson.revealed(predict);
    const ns = this.#lesson.isWhole ? lastNs(asked, revealed) : longestNs(asked, revealed);
    if (ns !== null) this.#page.window.set(0, ns);
  }

  async #goTo({ atNs, cpu, decision, lane, tab, thread }: PointView): Promise<void> {
    const { playback, selection, window, run } = this.#page;
    // Decisions are visible at a speed where single moves are drawn.
    if (decision !== null) playback.setSpeed(DEFAULT_SPEED);
    if (tab !== null) window.open(tab === 'priorities' ? 'values' : tab);
    if (atNs !== null && atNs !== run.nowNs) await playback.seek(atNs);
    selection.lane = Math.min(lane, run.lanes.length - 1);
    // The step explains the thread, so the panel stays closed.
    if (thread !== null) selection.point(thread);
    // Of all CPUs that were refused, the stage marks one itself.
    else if (cpu !== null && !this.#lesson.isWhole) selection.pointCpu(cpu);
  }

  /** Shows the stop slowly. Who plays on sees what follows as fast as what came before. */
  async #arriveAt(point: PointView): Promise<void> {
    const { playback, run } = this.#page;
    const { speed } = playback;
    await this.#goTo(point);
    if (playback.speed < speed)
      playback.goOnAt({ atNs: run.nowNs + SLOW_S * playback.speed, speed });
  }

  #stopAt({ point }: StepView): void {
    const { step } = this.#lesson;
    const { playback, selection, run } = this.#page;
    if (point) selection.lane = Math.min(point.lane, run.lanes.length - 1);
    playback.stopAt(point?.atNs ?? Infinity, () => {
      this.done.add(step);
      if (point && this.#lesson.step === step) void this.#arriveAt(point);
    });
  }

  /** Plays to the step's stop; with reduced motion it jumps there. */
  async play(): Promise<void> {
    const { playback, prefs, run } = this.#page;
    const visit = this.#visit;
    const view = await this.#lesson.evaluation.want(this.#lesson.step, null);
    if (visit !== this.#visit || this.#lesson.kind !== 'run') return;
    if (view) this.#stopAt(view);
    if (prefs.reducedMotion) {
      await this.skip();
      return;
    }
    // If the lesson sets no speed, the run reaches its stop after a few seconds.
    const wayNs = Math.max(1, (view?.point?.atNs ?? run.endNs) - run.nowNs);
    playback.setSpeed(this.#lesson.entry.scenario.opening?.speed ?? wayNs / PLAYED_S);
    playback.play();
  }

  /** Jumps to the stop. */
  async skip(): Promise<void> {
    const { playback, run } = this.#page;
    const { step } = this.#lesson;
    playback.pause();
    const view = await this.#lesson.evaluation.want(step, null);
    if (step !== this.#lesson.step) return;
    await playback.seek(view?.point?.atNs ?? run.endNs);
    this.done.add(step);
  }

  /** Makes the step's change: computes both futures, and shows them side by side where only one lane changes. */
  async change(): Promise<void> {
    const { step } = this.#lesson;
    this.done.add(step);
    const view = await this.#lesson.evaluation.want(step, null);
    if (!view || step !== this.#lesson.step) return;
    await this.showFuture(1);
  }

  /** Shows a future: beside the learner's lane if only one lane differs, else in place of the run. */
  async showFuture(which: number): Promise<void> {
    const { futures } = this.#lesson.view ?? { futures: [] };
    const lane = changedLane(futures);
    const { config, run } = this.#page;
    if (!config) return;
    const future = futures[which];
    const shown = future && lane !== null ? besideOwn(this.own, lane, future) : future?.scenario;
    if (which === 0 || !shown) {
      await this.showOwn();
      return;
    }
    this.#shown = shown;
    this.future = which;
    this.#futureOf = lane;
    await this.#page.editing.runInstead(shown, shown, run.nowNs);
    this.#shown = config.scenario;
    if (lane === null) return;
    run.label(this.#futureNames(lane, which));
    // Where there is room for one lane, it is the changed one.
    this.#page.selection.lane = Math.min(1, run.lanes.length - 1);
  }

  #futureNames(lane: number, which: number): readonly string[] {
    const { futures } = this.#lesson.view ?? { futures: [] };
    return [this.#lesson.labels[lane] ?? '', futures[which]?.label ?? ''];
  }

  /** Shows the learner's own run again. */
  async showOwn(): Promise<void> {
    if (this.future === null) return;
    await this.#page.editing.runInstead(this.own, this.#origin, this.#page.run.nowNs);
    if (this.#futureOf !== null) this.#page.selection.lane = this.#futureOf;
    this.future = null;
    this.#futureOf = null;
    this.#shown = null;
    this.#page.run.label(this.#lesson.labels, this.#lesson.isSecret);
  }

  /** Returns to the lesson's run and drops the learner's changes. */
  async goBack(): Promise<void> {
    this.future = null;
    this.#futureOf = null;
    this.#shown = null;
    await this.#page.editing.runInstead(this.#origin, this.#origin, 0);
    await this.arrive();
  }

  /** Takes a seed from the learner's number, so that neighbours in class have different runs. */
  async takeNumber(number: number): Promise<void> {
    const seed = clamp(Math.round(number), 1, MOST_NUMBER);
    this.#origin = { ...this.#lesson.entry.scenario, seed };
    this.done.clear();
    await this.#page.editing.runInstead(this.#origin, this.#origin, 0);
    await this.arrive();
  }
}
