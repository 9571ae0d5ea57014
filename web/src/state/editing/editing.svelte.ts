/** Changes of the scenario that a person makes, and taking them back. */
import { coreWords } from '../../lib/language';
import { laneOf } from '../../sim/property/edit';
import type { Position } from '../../sim/protocol';
import type { Scenario } from '../../sim/types/Scenario';
import type { Config, Way } from '../config.svelte';
import type { KeptWork } from '../kept/kept.svelte';
import { showOpening } from '../opening/opening-look';
import type { Playback } from '../playback.svelte';
import type { Configured, Run } from '../run.svelte';
import { show, viewOf } from '../shown';
import { applyChange, asEdit, type Change, keyOf } from './change';
import { changesOf, nameOfRun } from './changed';
import { currentDrag } from './gesture';
import type { Turns } from './turns';

/** What editing needs of the page. */
type EditedPage = Parameters<typeof showOpening>[0] &
  Parameters<typeof viewOf>[0] & {
    readonly config: Config | null;
    readonly fork: { readonly editLane: number | null; compare(): Promise<void>; forget(): void };
    readonly kept: Pick<KeptWork, 'keep' | 'resume'>;
    readonly lessons: { close(): void };
    readonly look: { readonly isLocked: boolean };
    readonly playback: Playback;
    readonly run: Run;
    opened: object | null;
  };

/** See the module comment. */
export class Editing {
  readonly #page: EditedPage;
  readonly #turns: Turns;
  readonly #asked = new Set<Change>();

  constructor(page: EditedPage, turns: Turns) {
    this.#page = page;
    this.#turns = turns;
  }

  /** The changes since the scenario was opened, one phrase each. */
  readonly changes = $derived.by(() => {
    const { config, run } = this.#page;
    return config ? changesOf(config.scenario, config.origin.scenario, run.catalog) : [];
  });

  /** The name of the run in titles, files and pictures. */
  get runName(): string {
    return nameOfRun(coreWords(this.#page.config?.scenario.name ?? ''), this.changes);
  }

  /** The changes that were asked for and that the core has not answered yet. */
  get asked(): readonly Change[] {
    return [...this.#asked];
  }

  /**
   * Makes a change: live where that makes sense, else from the start. Of waiting changes of one kind only the newest
   * counts. A change of a document that has left the page by then is not made. Changes of one drag replace each other while
   * time stands.
   */
  change(change: Change, drag?: number): void {
    const { config, look } = this.#page;
    if (look.isLocked || !config) return;
    const { piece } = config;
    this.#asked.add(change);
    const made = this.#turns.take(async () => {
      if (this.#page.config?.piece === piece) await this.#make(change, drag);
    }, keyOf(change));
    void made.then(() => this.#asked.delete(change));
  }

  async #make(change: Change, drag = currentDrag()): Promise<void> {
    const { config, fork, playback, run } = this.#page;
    if (!config || !run.catalog) return;
    const atNs = playback.goalNs;
    const edit = atNs > 0 ? asEdit(config.scenario, change, run.catalog) : null;
    if (edit === null) {
      await this.#restart(applyChange(config.scenario, change, run.catalog));
      return;
    }
    const before = config.scenario;
    playback.arrive();
    const lane = laneOf({ atNs, ...edit }) === undefined ? fork.editLane : null;
    config.problems = await run.edit(edit, lane, drag);
    // A refused change does not go into undo.
    if (config.scenario !== before) config.mark({ scenario: before, atNs });
  }

  async #restart(draft: unknown): Promise<void> {
    const { config, playback, run } = this.#page;
    if (!config) return;
    const atNs = run.nowNs;
    const { scenario, problems } = await this.#configure(draft, 0);
    if (!scenario) {
      config.problems = problems;
      return;
    }
    config.accept(scenario, atNs);
    if (atNs > 0) playback.message = 'Started again: this setting shapes the whole run.';
    this.#keepLane();
  }

  async #configure(
    draft: unknown,
    at: number,
    position: Position | null = null,
  ): Promise<Configured> {
    const { config, fork, run } = this.#page;
    const before = config?.scenario.schedulers.length;
    const result = await run.configure(draft, at, position);
    if (!result.scenario) return result;
    if (result.scenario.schedulers.length !== before) fork.forget();
    else await fork.compare();
    return result;
  }

  /** The selected lane may have gone. */
  #keepLane(): void {
    const { run, selection } = this.#page;
    selection.lane = Math.min(selection.lane, run.lanes.length - 1);
  }

  /** Runs a scenario in place of the present one; undo goes back. Changes are counted against `origin`. */
  async runInstead(given: Scenario, origin: Scenario, atNs: number): Promise<void> {
    const { config, playback } = this.#page;
    if (!config) return;
    const { piece } = config;
    await this.#turns.take(async () => {
      if (config.piece !== piece) return;
      playback.isPlaying = false;
      const { scenario } = await this.#configure(given, atNs);
      if (!scenario) return;
      const from = { scenario: given === origin ? scenario : origin, atNs: 0, position: null };
      config.accept(scenario, atNs, from);
      this.#keepLane();
    });
  }

  /** Takes all changes back: restores the scenario and the moment that were opened. */
  async undoAll(): Promise<void> {
    const { config, look, playback, run } = this.#page;
    if (!config || look.isLocked) return;
    const { piece } = config;
    this.#turns.drop();
    await this.#turns.take(async () => {
      if (config.piece !== piece) return;
      playback.isPlaying = false;
      const wasAtNs = run.nowNs;
      const { origin } = config;
      const { scenario } = await this.#configure(origin.scenario, origin.atNs, origin.position);
      if (!scenario) return;
      config.accept(scenario, wasAtNs);
      this.#keepLane();
    });
  }

  /** Takes the last change back: the run returns to the moment before it. */
  undo(): void {
    if (!this.#page.look.isLocked) void this.#turns.take(() => this.#goTo('undo'));
  }

  /** Makes it again. */
  redo(): void {
    if (!this.#page.look.isLocked) void this.#turns.take(() => this.#goTo('redo'));
  }

  /** Goes to the point before or after, perhaps of another document: then that one is opened again. */
  async #goTo(way: Way): Promise<void> {
    const page = this.#page;
    const { config, fork, kept, lessons, playback, run, selection } = page;
    const to = config?.next(way);
    if (!config || !to) return;
    const isOther = to.piece !== config.piece;
    const atNs = run.nowNs;
    if (isOther) {
      config.piece.view = viewOf(page);
      void kept.keep();
      playback.isPlaying = false;
      lessons.close();
    }
    const { scenario } = await this.#configure(to.scenario, to.atNs);
    if (!scenario) return;
    if (isOther) {
      fork.forget();
      page.opened = null;
      selection.clear();
    }
    config.go(way, atNs);
    kept.resume();
    if (isOther) {
      showOpening(page, scenario, false);
      show(page, to.piece.view, run.lanes.length);
    }
    this.#keepLane();
  }
}
