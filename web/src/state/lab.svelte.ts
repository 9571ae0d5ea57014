/** The page as a whole: what a control calls. Holds the other state objects together. */
import { messageOf } from '../lib/assert';
import { Superseded, type Fault, type WorkerLike } from '../sim/client';
import type { Problem, StepKind } from '../sim/protocol';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import { applyChange, asEdits, type Change, keyOf } from './change';
import { Config } from './config.svelte';
import { effectiveGroups } from './effective';
import { MachineEditor } from './machine-editor.svelte';
import { Notices } from './notices.svelte';
import { Playback } from './playback.svelte';
import { Prefs } from './prefs.svelte';
import { Run } from './run.svelte';
import { Selection } from './selection.svelte';
import { type Link, readLink, writeLink } from './url';

/** Faults in a row after which the scenario is given up. */
const MAX_ATTEMPTS = 3;

/** Browsers refuse pages that change their address too often. */
const LINK_EVERY_MS = 400;

/** Everything that the page is made of. */
export class Lab {
  readonly run: Run;
  readonly playback: Playback;
  readonly selection = new Selection();
  readonly notices = new Notices();
  readonly prefs = new Prefs();
  readonly editor: MachineEditor;
  config = $state.raw<Config | null>(null);
  /** The newest sentence for listeners; the announcer decides when it is spoken. */
  spoken = $state('');
  readonly #waiting = new Map<string, Change>();
  #draining = false;

  constructor(spawn: () => WorkerLike) {
    this.run = new Run(spawn);
    this.editor = new MachineEditor(this);
    this.playback = new Playback(this.run);
    this.run.onEdits = (edits) => this.config?.setEdits(edits);
    this.run.onFault = (fault, attempt) => void this.#restore(fault, attempt);
  }

  /** The groups as they are at this time. */
  get present() {
    const { config } = this;
    if (!config) return [];
    return effectiveGroups(config.scenario, this.run.nowNs, (kind) => this.defaultBytes(kind));
  }

  /** What a behaviour sweeps when its group does not say; null when it sweeps nothing. */
  defaultBytes(kind: string): number | null {
    const behaviour = this.run.catalog?.behaviours.find((b) => b.id === kind);
    if (!behaviour?.usesWorkingSet) return null;
    const param = behaviour.params.find((p) => p.id === 'workingSetBytes');
    return param?.kind.type === 'int' ? param.kind.default : 16 * 1024;
  }

  /** Whether the scenario still goes by the name of the shipped one that it started from. */
  get isShipped(): boolean {
    const { config } = this;
    const base = this.run.catalog?.scenarios.find((s) => s.id === config?.baseId);
    return base !== undefined && base.scenario.name === config?.scenario.name;
  }

  /** Kind of step that the keys and buttons make. */
  stepKind = $state<StepKind>('migration');
  #linkTimer: ReturnType<typeof setTimeout> | undefined;
  #linkAt = -Infinity;

  /** Whether the address bar is about to change. */
  get isLinkDue(): boolean {
    return this.#linkTimer !== undefined;
  }

  /** Keeps the address bar at the present moment, a few times a second at most. */
  followLink(): void {
    $effect.root(() => {
      $effect(() => {
        void [this.config?.scenario, this.config?.baseId, this.run.nowNs];
        this.#planLink();
      });
    });
  }

  #planLink(): void {
    if (this.#linkTimer !== undefined || !this.config) return;
    const wait = Math.max(0, this.#linkAt + LINK_EVERY_MS - performance.now());
    this.#linkTimer = setTimeout(() => void this.updateLink(), wait);
  }

  /** Puts the present moment into the address bar now. */
  async updateLink(): Promise<void> {
    const { config, run } = this;
    clearTimeout(this.#linkTimer);
    this.#linkAt = performance.now();
    if (!config || !run.catalog) {
      this.#linkTimer = undefined;
      return;
    }
    const { scenario, baseId } = config;
    const t = run.nowNs;
    this.#fragment = await writeLink({ scenario, baseId, t }, run.catalog);
    history.replaceState(null, '', `#${this.#fragment}`);
    this.#linkTimer = undefined;
    // Packing takes a moment, in which the run may have gone on.
    if (run.nowNs !== t || config.scenario !== scenario) this.#planLink();
  }

  #fragment = '';

  /** Opens another link that was typed or chosen while the page is open. */
  async followHash(fragment: string): Promise<void> {
    const { catalog } = this.run;
    if (!catalog || fragment.replace(/^#/, '') === this.#fragment) return;
    await this.playback.tracked(async () => {
      await this.#open(await readLink(fragment, catalog), catalog);
    });
  }

  /** Offers the scenario with its edits as a file. */
  save(): void {
    if (this.config) saveScenario(this.config.scenario);
  }

  /** Says something to those who listen. */
  say(text: string): void {
    this.spoken = text;
  }

  /** Loads the core and opens what the link says. */
  async start(fragment: string): Promise<void> {
    await this.playback.tracked(async () => {
      const catalog = await this.run.load();
      const link = await readLink(fragment, catalog);
      await this.#open(link, catalog);
    });
  }

  async #open(link: Link, catalog: Catalog): Promise<void> {
    for (const text of link.problems) this.notices.show('warning', text);
    const problems = await this.run.configure(link.scenario, link.t ?? 'opening');
    let { scenario, baseId } = link;
    if (problems.length > 0) {
      for (const p of problems)
        this.notices.show(
          'warning',
          `In the link, ${p.path}: ${p.message}. The default is shown instead.`,
        );
      const first = catalog.scenarios[0];
      if (!first) throw new Error('the core brings no scenario');
      ({ id: baseId, scenario } = first);
      await this.run.configure(scenario, 'opening');
    }
    if (this.config) this.config.accept(scenario);
    else this.config = new Config(scenario, baseId);
    this.config.baseId = baseId;
    this.playback.isPlaying = false;
    this.selection.lane = Math.min(this.selection.lane, scenario.schedulers.length - 1);
  }

  /** Opens a shipped scenario at a moment worth looking at. */
  async openShipped(id: string): Promise<void> {
    const entry = this.run.catalog?.scenarios.find((s) => s.id === id);
    if (entry) await this.openScenario(entry.scenario, id);
  }

  /** Opens any scenario. */
  async openScenario(scenario: Scenario, baseId: string): Promise<void> {
    const { catalog } = this.run;
    if (!catalog) return;
    this.selection.clear();
    await this.playback.tracked(() =>
      this.#open({ scenario, baseId, t: null, problems: [] }, catalog),
    );
  }

  /** Makes a change: live where that makes sense, else from the start. Newest of its kind wins. */
  change(change: Change): void {
    this.#waiting.set(keyOf(change), change);
    if (!this.#draining) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    await this.playback.tracked(async () => {
      try {
        for (;;) {
          const next = this.#waiting.entries().next().value;
          if (!next) break;
          this.#waiting.delete(next[0]);
          await this.#make(next[1]);
        }
      } finally {
        this.#draining = false;
      }
    });
  }

  async #make(change: Change): Promise<void> {
    const { config, run } = this;
    if (!config) return;
    const edits = run.nowNs > 0 ? asEdits(config.scenario, change, this.present) : null;
    if (edits === null) {
      await this.#restart(applyChange(config.scenario, change));
      return;
    }
    if (edits.length > 0) config.mark();
    for (const edit of edits) {
      const problems = await run.edit(edit);
      config.refuse(null, problems);
    }
  }

  async #restart(scenario: Scenario): Promise<void> {
    const { config, run } = this;
    if (!config) return;
    const problems = await this.#configure(scenario, 0);
    if (problems.length > 0) {
      config.refuse(scenario, problems);
      return;
    }
    const wasBeyond = run.nowNs > 0 || this.#ran;
    config.accept(scenario);
    if (wasBeyond)
      this.notices.show(
        'info',
        'This change applies from the start, so the run began again at 0 ms.',
      );
    this.selection.lane = Math.min(this.selection.lane, scenario.schedulers.length - 1);
  }

  #ran = false;

  async #configure(scenario: Scenario, at: number): Promise<readonly Problem[]> {
    this.#ran = this.run.nowNs > 0;
    return this.run.configure(scenario, at);
  }

  /** Takes the last change back, at the present time. */
  undo(): void {
    void this.#travel(this.config?.takeUndo() ?? null);
  }

  /** Makes it again. */
  redo(): void {
    void this.#travel(this.config?.takeRedo() ?? null);
  }

  async #travel(scenario: Scenario | null): Promise<void> {
    if (!scenario) return;
    await this.playback.tracked(async () => {
      await this.#configure(scenario, this.run.nowNs);
      this.config?.replace(scenario);
    });
  }

  async #restore(fault: Fault, attempt: number): Promise<void> {
    const { config, run, notices } = this;
    const what =
      fault.kind === 'silence'
        ? 'The simulation did not answer'
        : 'The simulation stopped on an internal error';
    if (!config || attempt >= MAX_ATTEMPTS) {
      run.status = 'failed';
      notices.show(
        'warning',
        `${what} (${fault.message}) and could not be brought back. Reload the page.`,
        this.#offer(config),
      );
      return;
    }
    const at = attempt > 1 ? 0 : run.nowNs;
    if (attempt > 1) this.playback.isPlaying = false;
    await this.playback.tracked(async () => {
      try {
        await run.load();
        await run.configure(config.scenario, at);
        notices.show(
          'warning',
          `${what} (${fault.message}). The run was brought back with all its edits.`,
          this.#offer(config),
        );
      } catch (error) {
        // A second fault comes back through `onFault`; anything else is shown.
        if (!(error instanceof Superseded)) notices.show('warning', messageOf(error));
      }
    });
  }

  #offer(config: Config | null) {
    if (!config) return null;
    return {
      label: 'Save the scenario as a file',
      run: () => {
        saveScenario(config.scenario);
      },
    };
  }
}

/** Offers a scenario as a file. */
export function saveScenario(scenario: Scenario): void {
  const blob = new Blob([`${JSON.stringify(scenario, null, 2)}\n`], { type: 'application/json' });
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = `${scenario.name.toLowerCase().replace(/[^a-z0-9]+/g, '-') || 'scenario'}.json`;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 10_000);
}
