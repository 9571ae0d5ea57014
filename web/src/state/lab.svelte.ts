/** The page as a whole: what a control calls. Holds the other state objects together. */
import { coreMessage } from '../lib/core-message';
import { isEmbeddedThere } from '../browser/parent-page';
import { browserSupport } from '../browser/support';
import { messageOf } from '../lib/assert';
import { Superseded, type Fault, type WorkerLike } from '../sim/client';
import type { Recordings } from '../sim/first/recording';
import type { PolicyPackage } from '../sim/policy/package';
import type { SweepWorker } from '../sim/sweep/pool';
import { adviceFor, sayFault } from '../sim/trouble';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import { hasOwnGuide } from '../sim/guide';
import { AnswerState } from './answer/answer.svelte';
import { Config } from './config.svelte';
import { Editing } from './editing/editing.svelte';
import { Hues } from './hues.svelte';
import { ShownMoment } from './shown-moment.svelte';
import { Fork } from './fork/fork.svelte';
import { MachineEditor } from './machine/machine-editor.svelte';
import { Notices } from './notices.svelte';
import { Playback } from './playback.svelte';
import { Prefs } from './prefs.svelte';
import { Places } from './places.svelte';
import { Policies } from './policy/policies.svelte';
import { Run } from './run.svelte';
import { Selection } from './selection.svelte';
import { Address } from './address.svelte';
import { type Link, readLink } from '../link/link';
import { Lessons } from './lesson/lessons.svelte';
import { readLesson } from '../link/lesson-place';
import type { LessonWorker } from '../sim/lesson/client';
import { Look } from './look.svelte';
import { KeptWork } from './kept/kept.svelte';
import { sayChanged, showOpening } from './opening/opening-look';
import type { Given, Opened } from './opening/opened';
import { show, viewOf } from './shown';
import { Speech } from './speech.svelte';
import { Steps } from './steps.svelte';
import { Turns } from './editing/turns';
import { Traces, type TraceWorker } from './recorded/traces.svelte';
import { Work } from './work.svelte';
import { StageRegime } from './stage-regime.svelte';
import { TimeWindow } from './time-window.svelte';

/** Faults in a row after which the scenario is given up. */
const MAX_ATTEMPTS = 3;

/** Most sentences about one link; a count stands for the others. */
const MAX_SENTENCES = 3;

/** Longest wait for the disk before something opens. */
const DISK_MS = 2000;

/** Everything that the page is made of. */
export class Lab {
  readonly run: Run;
  readonly playback: Playback;
  readonly window: TimeWindow;
  readonly answer: AnswerState;
  readonly selection = new Selection();
  readonly notices = new Notices();
  readonly prefs = new Prefs();
  readonly regime = new StageRegime();
  readonly hues = new Hues();
  readonly moment = new ShownMoment();
  readonly speech = new Speech();
  readonly steps: Steps;
  readonly fork: Fork;
  readonly editing: Editing;
  readonly editor: MachineEditor;
  readonly places: Places;
  readonly policies: Policies;
  readonly look = new Look();
  readonly work: Work;
  readonly traces: Traces;
  readonly kept: KeptWork;
  readonly address: Address;
  readonly lessons: Lessons;
  /** Whether the page was embedded in another page when it was loaded. That stays, whatever is opened in it. */
  readonly isGuest = isEmbeddedThere();
  config = $state.raw<Config | null>(null);
  /** Time and speed at which the scenario opened by itself; null where a link or a file gave the time. */
  opened = $state.raw<Opened | null>(null);
  /** Why the simulation could not be started, and what to do; null while there is no such trouble. */
  trouble = $state.raw<{ readonly what: string; readonly advice: string } | null>(null);
  readonly #turns: Turns;
  /** Number of the newest opening. */
  #newest = 0;

  constructor(
    spawn: () => WorkerLike,
    spawnSweep: () => SweepWorker,
    spawnLesson: () => LessonWorker,
    policies?: PolicyPackage,
    recordings?: Recordings | null,
    spawnTrace?: () => TraceWorker,
  ) {
    this.run = new Run(spawn, policies, recordings);
    this.places = new Places(this, spawn, spawnSweep);
    this.editor = new MachineEditor(this);
    this.playback = new Playback(this.run);
    this.policies = new Policies(this, spawnLesson);
    this.#turns = new Turns((work) => this.playback.tracked(work));
    this.steps = new Steps(this);
    this.fork = new Fork(this, this.#turns);
    this.editing = new Editing(this, this.#turns);
    this.work = new Work(this);
    this.traces = new Traces(this, spawnTrace);
    this.kept = new KeptWork(this);
    this.lessons = new Lessons(this, spawnLesson);
    this.address = new Address(this);
    this.window = new TimeWindow(this.run, this.playback, this.regime);
    this.answer = new AnswerState(this, spawnLesson);
    this.run.onEdits = (edits) => this.config?.setEdits(edits);
    this.run.onFault = (fault, attempt) => void this.#restore(fault, attempt);
  }

  /** The groups now, in the lane that changes are made in, else in the selected lane. */
  get present() {
    return this.run.lanes[this.fork.editLane ?? this.selection.lane]?.present.groups ?? [];
  }

  /** Whether threads of the workload sweep memory. */
  get sweepsMemory(): boolean {
    const { catalog } = this.run;
    const kinds = this.config?.scenario.groups.map((g) => g.behaviour.kind) ?? [];
    return catalog?.behaviours.some((b) => b.usesWorkingSet && kinds.includes(b.id)) === true;
  }

  /** Range of a number in scenarios. */
  boundOf(field: string) {
    return this.run.catalog?.bounds.find((b) => b.field === field && b.unit !== 'entries');
  }

  /** The shipped scenario that the scenario started from. */
  get base() {
    return this.run.catalog?.scenarios.find((s) => s.id === this.config?.baseId);
  }

  /** Whether the scenario still has the name of the shipped one that it started from. */
  get isShipped(): boolean {
    return this.base !== undefined && this.base.scenario.name === this.config?.scenario.name;
  }

  /**
   * Loads the core and opens `first`, or the newest link that was followed meanwhile. At Start nothing runs until the
   * reader opens something. `letters` resolves when the fonts are loaded: nothing is painted before.
   */
  async start(first: string, letters: Promise<void>): Promise<void> {
    this.places.take(first);
    try {
      await this.playback.tracked(async () => {
        const [catalog] = await Promise.all([this.run.load(), letters]);
        if (this.places.isStart) return;
        const fragment = this.address.early ?? first;
        const lesson = readLesson(fragment);
        if (lesson) {
          await this.lessons.show(lesson);
          return;
        }
        const link = this.places.at ? (this.places.route?.sweep.on ?? '') : fragment;
        const read = await readLink(link, catalog);
        await this.#newer((opening) => this.#openLink(read, catalog, opening));
      });
    } catch (error) {
      this.#giveUp({ kind: 'load', message: messageOf(error) });
    }
  }

  /** Opens a link. */
  async openLink(link: Link): Promise<void> {
    const { catalog } = this.run;
    if (catalog) await this.#newer((opening) => this.#openLink(link, catalog, opening));
  }

  async #openLink(link: Link, catalog: Catalog, opening: number): Promise<void> {
    const kept = link.kept === null ? null : await this.kept.take(link.kept);
    this.warn(link.problems);
    if (link.kept !== null && !kept)
      this.notices.show(
        'warning',
        'The scenario of this link is too large for a link. It is kept only by the browser that made it; ask for it as a file.',
      );
    const { scenario, baseId, t, position } = kept ? { ...link, scenario: kept.scenario } : link;
    await this.#open({ scenario, baseId, t, position }, catalog, opening);
    if (kept) await this.kept.adopt(kept);
    this.look.take(link.view);
    this.warn(show(this, link.view, this.run.lanes.length));
    const changed = sayChanged(link, this.run.lanes);
    if (changed !== null) this.notices.show('warning', changed);
    if (this.look.view.play) this.playback.play();
  }

  /** A number for something that is about to open: of several, only the newest opens. */
  beginOpening(): number {
    return (this.#newest += 1);
  }

  /**
   * Opens something, unless something newer is opened meanwhile; returns whether it is open. The document before is
   * written first, with all changes that were asked for.
   */
  async #newer(
    open: (opening: number) => Promise<void>,
    opening = this.beginOpening(),
  ): Promise<boolean> {
    let isOpen = false;
    await this.playback.tracked(async () => {
      await open(opening);
      isOpen = true;
    });
    return isOpen;
  }

  /** Shows the problems of something that was opened: the first few, and a count of the others. */
  warn(sentences: readonly string[]): void {
    for (const text of sentences.slice(0, MAX_SENTENCES)) this.notices.show('warning', text);
    const rest = sentences.length - MAX_SENTENCES;
    if (rest > 0) this.notices.show('warning', `It has ${String(rest)} more problems.`);
  }

  /** Waits for the changes that were asked for, and writes the document: nothing is lost by what opens next. */
  async settle(): Promise<void> {
    await this.playback.tracked(async () => {
      await this.#turns.done();
      // A disk that does not answer holds up nothing: what is to be written is known by now.
      const late = new Promise((resolve) => setTimeout(resolve, DISK_MS));
      await Promise.race([this.kept.keep(), late]);
    });
  }

  async #open(given: Given, catalog: Catalog, opening: number, isLesson = false): Promise<void> {
    await this.settle();
    await this.#turns.hold(async () => {
      // A change may have been made while the document was written.
      void this.kept.keep();
      if (opening !== this.#newest) throw new Superseded();
      if (this.config) this.config.piece.view = viewOf(this);
      this.lessons.close();
      this.selection.clear();
      if (isLesson) this.selection.lane = 0;
      await this.#replace(given, catalog, isLesson);
    });
  }

  async #replace(
    { scenario: given, baseId: givenId, t, position = null }: Given,
    catalog: Catalog,
    isLesson: boolean,
  ): Promise<void> {
    // While another run is made, no time passes in it.
    this.playback.isPlaying = false;
    const wasAtNs = this.run.nowNs;
    const { problems, ...read } = await this.run.configure(given, t ?? 'opening', position);
    let [scenario, baseId] = [read.scenario, givenId];
    if (!scenario) {
      const mended = await this.work.mend(given, problems);
      const first = catalog.scenarios[0];
      if (!first) throw new Error('the core brings no scenario');
      this.warn(
        mended
          ? mended.notes.map((note) => `In the scenario, ${note}`)
          : problems.map(
              (p) =>
                `In the scenario, ${p.path}: ${coreMessage(p.message)}. The default is shown instead.`,
            ),
      );
      if (!mended) baseId = first.id;
      const shown = mended?.scenario ?? first.scenario;
      ({ scenario } = await this.run.configure(shown, t ?? 'opening'));
      scenario ??= first.scenario;
    }
    // A link or a file with the name of a shipped scenario is that scenario, perhaps with changes.
    const base = catalog.scenarios.find(({ id }) => id === baseId)?.scenario;
    const isBase = base?.name === scenario.name && !hasOwnGuide(scenario, base);
    const origin = { scenario: isBase ? base : scenario, atNs: this.run.nowNs, position };
    if (this.config) this.config.open(scenario, baseId, origin, wasAtNs);
    else this.config = new Config(scenario, baseId, origin);
    this.fork.forget();
    this.playback.message = '';
    showOpening(this, scenario, t === null);
    this.selection.lane = Math.min(this.selection.lane, scenario.schedulers.length - 1);
    this.opened = t === null ? { atNs: this.run.nowNs, view: viewOf(this) } : null;
    this.kept.begin('', isLesson);
  }

  /**
   * Opens any scenario, at a time or at a moment worth looking at. Returns whether it is open: not where something
   * newer was opened meanwhile.
   */
  async openScenario(scenario: unknown, baseId: string, t: number | null = null): Promise<boolean> {
    const { catalog } = this.run;
    if (!catalog) return false;
    this.places.leave();
    return this.#newer((opening) => this.#open({ scenario, baseId, t }, catalog, opening));
  }

  /**
   * Opens the scenario of a lesson at its start; returns whether it is open. Nothing is shown of it before the lesson
   * is open.
   */
  async openForLesson(scenario: Scenario, isLocked: boolean, opening: number): Promise<boolean> {
    const { catalog } = this.run;
    if (!catalog) return false;
    const given = { scenario, baseId: '', t: 0 };
    const isOpen = await this.#newer(() => this.#open(given, catalog, opening, true), opening);
    if (!isOpen) return false;
    showOpening(this, scenario, true);
    this.look.take(isLocked ? { lock: true } : {});
    return true;
  }

  /** Shows that the page cannot run, and why. */
  #giveUp(fault: Fault): void {
    this.run.status = 'failed';
    this.trouble = { what: sayFault(fault), advice: adviceFor(fault, browserSupport()) };
  }

  async #restore(fault: Fault, attempt: number): Promise<void> {
    const { config, run, notices } = this;
    const what = sayFault(fault);
    if (!config) {
      this.#giveUp(fault);
      return;
    }
    if (attempt >= MAX_ATTEMPTS) {
      run.status = 'failed';
      notices.show(
        'warning',
        `${what} and could not be brought back. Reload the page.`,
        this.work.offer,
      );
      return;
    }
    const at = attempt > 1 ? 0 : run.nowNs;
    // A run that ran out of memory would soon do so again, so it does not go on by itself.
    if (attempt > 1 || fault.kind === 'memory') this.playback.isPlaying = false;
    await this.playback.tracked(async () => {
      try {
        await run.load();
        await run.configure(config.scenario, at);
        await this.fork.compare();
        notices.show(
          'warning',
          `${what}. The run was brought back with all its edits.`,
          this.work.offer,
        );
      } catch (error) {
        // A second fault comes through `onFault`; any other error is shown.
        if (!(error instanceof Superseded)) notices.show('warning', messageOf(error));
      }
    });
  }
}
