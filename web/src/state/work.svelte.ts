/** The user's work: kept by the browser while it changes, opened from files, saved to files. */
import type { FileProblem } from '../files/read';
import { fileStem, saveFile, scenarioFile } from '../files/save';
import { type Kept, newId, Shelf } from '../files/shelf';
import type { Problem } from '../sim/protocol';
import type { Scenario } from '../sim/types/Scenario';
import type { Stage } from './stage';
import { specOf } from './machine';

/** Often enough that a crash costs little, seldom enough that nothing stutters. */
const KEEP_EVERY_MS = 1_000;

/** A file that could not be opened as it is. */
export interface Refused {
  readonly name: string;
  readonly problems: readonly FileProblem[];
  /** Opens what can be read of it, the rest at its defaults; null if nothing can. */
  readonly openAnyway: (() => void) | null;
}

/** Keeps, opens and saves. */
export class Work {
  readonly #lab: Stage;
  readonly #shelf = Shelf.ofBrowser();
  #id = newId();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #kept: Scenario | null = null;
  #isRefused = false;
  /** Why the last file was not opened. */
  refused = $state.raw<Refused | null>(null);

  constructor(lab: Stage) {
    this.#lab = lab;
  }

  /** Name under which this browser keeps the present work. */
  get id(): string {
    return this.#id;
  }

  /** What this browser keeps, newest first. */
  recent(): readonly Kept[] {
    return this.#shelf.list();
  }

  /** Keeps the present work from now on. */
  follow(): void {
    $effect.root(() => {
      $effect(() => {
        void [this.#lab.config?.scenario, this.#lab.run.calmNs];
        this.#timer ??= setTimeout(() => {
          this.keep();
        }, KEEP_EVERY_MS);
      });
    });
    // The last moment in which a page that goes away is sure to run.
    addEventListener('pagehide', () => {
      this.keep();
    });
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.keep();
    });
  }

  /** Keeps the present work now, if it is more than a shipped scenario. */
  keep(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { config, run } = this.#lab;
    if (!config) return;
    const { scenario, baseId } = config;
    // What nobody changed since it was opened is kept where it came from.
    if (scenario === this.#kept) return;
    this.#kept = scenario;
    const { name } = scenario;
    const entry = { id: this.#id, name, baseId, t: run.nowNs, savedAt: Date.now() };
    if (this.#shelf.keep(entry, scenario) || this.#isRefused) return;
    this.#isRefused = true;
    this.#lab.notices.show(
      'info',
      'This browser does not let the page keep your work. Save it as a file or copy the link before you leave.',
    );
  }

  /** Another scenario is on the page: it becomes a piece of work of its own. */
  begin(id: string | null = null): void {
    this.#id = id ?? newId();
    this.#kept = this.#lab.config?.scenario ?? null;
  }

  /** Offers the newest work of an earlier visit. */
  offerLast(): void {
    const [last] = this.recent();
    if (!last) return;
    this.#lab.notices.show('info', `Your last work, “${last.name}”, is kept.`, {
      label: 'Open it',
      run: () => {
        void this.openKept(last.id);
      },
    });
  }

  /** A kept piece of work. */
  take(id: string): ReturnType<Shelf['take']> {
    return this.#shelf.take(id);
  }

  /** Opens a kept piece of work. */
  async openKept(id: string): Promise<void> {
    const found = this.#shelf.take(id);
    if (!found) {
      this.#lab.notices.show('warning', 'This work is no longer kept by the browser.');
      return;
    }
    const { baseId, t } = found.kept;
    await this.#lab.openScenario(found.scenario, baseId, t);
    this.begin(id);
  }

  /** Forgets a kept piece of work. */
  forget(id: string): void {
    this.#shelf.drop(id);
  }

  /** Opens a file that was chosen or dropped. */
  async openFile(file: File): Promise<void> {
    const { MAX_FILE } = await import('../files/read');
    // Nobody waits for a gigabyte that is refused anyway.
    const text = await file.slice(0, MAX_FILE + 1).text();
    await this.openText(text, file.name);
  }

  /** Opens a text: a scenario, or a link to one. */
  async openText(text: string, name: string): Promise<void> {
    if (this.#lab.look.isLocked) return;
    const hash = /^\s*(?:https?|file):\S*?#(\S+)\s*$/.exec(text)?.[1];
    if (hash !== undefined) {
      await this.#lab.address.followHash(hash);
      return;
    }
    const { run } = this.#lab;
    const { readFile } = await import('../files/read');
    const { scenario, problems, refused } = await readFile(text, (s) => run.check(s));
    this.refused = null;
    if (scenario && problems.length === 0) {
      await this.#openNew(scenario);
      return;
    }
    const openAnyway = scenario ? () => void this.#openMended(scenario, refused) : null;
    this.refused = { name, problems, openAnyway };
  }

  async #openMended(scenario: Scenario, refused: readonly Problem[]): Promise<void> {
    this.refused = null;
    const mended =
      refused.length > 0 ? await this.mend(scenario, refused) : { scenario, notes: [] };
    if (!mended) {
      this.#lab.notices.show('warning', 'Too much of the file is wrong to open it.');
      return;
    }
    this.#lab.warn(mended.notes.map((note) => `In the file, ${note}`));
    await this.#openNew(mended.scenario);
  }

  /** What comes from outside is kept at once: the file may be gone tomorrow. */
  async #openNew(scenario: Scenario): Promise<void> {
    await this.#lab.openScenario(scenario, this.#baseId);
    this.#kept = null;
    this.keep();
  }

  get #baseId(): string {
    return this.#lab.config?.baseId ?? '';
  }

  /** The scenario with defaults where the core refuses it, or null. */
  async mend(
    scenario: Scenario,
    problems: readonly Problem[],
  ): Promise<{ scenario: Scenario; notes: readonly string[] } | null> {
    const { repair } = await import('../files/repair');
    const { run, base: from } = this.#lab;
    const { catalog } = run;
    const base = from ?? catalog?.scenarios[0];
    if (!catalog || !base) return null;
    const notes: string[] = [];
    let now = scenario;
    let wrong = problems;
    // Each round mends at least one field, so this ends; the number is for what nobody thought of.
    for (let round = 0; round < 50 && wrong.length > 0; round++) {
      const better = repair(now, wrong, base.scenario, specOf(catalog, base.scenario.machine));
      if (!better) return null;
      now = better.scenario;
      notes.push(...better.notes);
      wrong = await run.check(now);
    }
    return wrong.length === 0 ? { scenario: now, notes } : null;
  }

  /** Offers the scenario with its edits as a file. */
  save(): void {
    const { config } = this.#lab;
    if (config) saveFile(`${fileStem(config.scenario.name)}.json`, scenarioFile(config.scenario));
  }
}
