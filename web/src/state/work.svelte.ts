/** Opens scenarios from files and texts, and saves them to files. */
import type { FileProblem } from '../files/read';
import { saveFile } from '../browser/save-file';
import { coreMessage } from '../lib/core-message';
import { fileStem, scenarioFile } from '../files/save';
import type { Problem } from '../sim/protocol';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import type { Config } from './config.svelte';
import { specOf } from './machine/machine';
import type { Notices } from './notices.svelte';
import type { Run } from './run.svelte';

/** Most names in one sentence. */
const MOST_NAMES = 3;

/** A file that could not be opened as it is. */
export interface Refused {
  readonly name: string;
  readonly problems: readonly FileProblem[];
  /** Opens what can be read, with defaults for the rest; null if nothing can be read. */
  readonly openAnyway: (() => void) | null;
}

/** The page that files are opened on and saved from. */
interface WorkingPage {
  readonly run: Run;
  readonly config: Config | null;
  readonly notices: Notices;
  readonly look: { readonly isLocked: boolean };
  /** The name of the run in titles, files and pictures. */
  readonly editing: { readonly runName: string };
  /** The shipped scenario that the scenario started from. */
  readonly base: Catalog['scenarios'][number] | undefined;
  readonly address: { go(fragment: string): Promise<void> };
  readonly kept: {
    isShown: boolean;
    takeIn(file: string): Promise<void>;
    keepAside(scenario: Scenario, file: string, baseId: string): Promise<boolean>;
  };
  /** Shows the problems of something that was opened: the first few, and a count of the others. */
  warn(sentences: readonly string[]): void;
  openScenario(scenario: unknown, baseId: string): Promise<boolean>;
  /** Reads a file if it is a trace of a real machine. */
  readonly traces: { take(file: File): Promise<boolean> };
  /** Takes the program of an own policy. */
  readonly policies: { open(text: string): void };
}

/** Opens and saves. */
export class Work {
  readonly #page: WorkingPage;
  /** Why the last file was not opened. */
  refused = $state.raw<Refused | null>(null);

  constructor(page: WorkingPage) {
    this.#page = page;
  }

  /** Opens chosen or dropped files: the first on the page; the others are kept beside it. */
  async openFiles(files: readonly File[]): Promise<void> {
    const [first, ...others] = files;
    if (!first || this.#page.look.isLocked) return;
    await this.openFile(first);
    const { notices } = this.#page;
    const [kept, left]: [string[], File[]] = [[], []];
    for (const file of others)
      if (await this.#keepAside(file)) kept.push(`“${file.name}”`);
      else left.push(file);
    if (kept.length > 0)
      notices.show('info', `One file opens at a time. ${inWords(kept)} will wait in your work.`, {
        label: 'Show it',
        run: () => {
          this.#page.kept.isShown = true;
        },
      });
    const [next] = left;
    if (next)
      notices.show(
        'warning',
        `One file opens at a time. ${inWords(left.map(({ name }) => `“${name}”`))} could not be kept as it is.`,
        {
          label: left.length > 1 ? 'Open the first' : 'Open it',
          run: () => void this.openFiles(left),
        },
      );
  }

  /** Shows why a file was not opened. */
  refuse(name: string, problems: readonly FileProblem[]): void {
    this.refused = { name, problems, openAnyway: null };
  }

  /** Opens a file. */
  async openFile(file: File): Promise<void> {
    this.refused = null;
    if (await this.#page.traces.take(file)) return;
    const text = await this.#textOf(file);
    if (text !== null && file.name.endsWith('.py')) this.#page.policies.open(text);
    else if (text !== null) await this.openText(text, file.name);
    else
      this.#page.notices.show(
        'warning',
        `“${file.name}” could not be read. Is it a file, and still where it was?`,
      );
  }

  async #textOf(file: File): Promise<string | null> {
    const { MAX_FILE } = await import('../files/read');
    try {
      // A file that is too large is refused, so it is not read to its end.
      return await file.slice(0, MAX_FILE + 1).text();
    } catch {
      // It is a folder, or no longer there.
      return null;
    }
  }

  /** Keeps a file if it is a scenario without problems; returns whether it is kept. */
  async #keepAside(file: File): Promise<boolean> {
    const text = await this.#textOf(file);
    if (text === null) return false;
    const { readFile } = await import('../files/read');
    const { scenario } = await readFile(text, (s) => this.#page.run.check(s));
    if (!scenario) return false;
    return this.#page.kept.keepAside(scenario, file.name, this.#baseId);
  }

  /** Opens a text: a scenario, or a link to one. */
  async openText(text: string, name: string): Promise<void> {
    if (this.#page.look.isLocked) return;
    const hash = /^\s*(?:https?|file):\S*?#(\S+)\s*$/.exec(text)?.[1];
    if (hash !== undefined) {
      await this.#page.address.go(hash);
      return;
    }
    await this.take(text, name);
  }

  /** Opens the text of a scenario, even where the user may change nothing. Its problems are shown and returned. */
  async take(text: string, name: string): Promise<readonly FileProblem[]> {
    const { run } = this.#page;
    const { readFile } = await import('../files/read');
    const { scenario, given, problems, refused } = await readFile(text, (s) => run.check(s));
    this.refused = null;
    if (scenario) {
      await this.#openNew(scenario, name);
      return [];
    }
    const openAnyway = given ? () => void this.#openMended(given, refused, name) : null;
    this.refused = { name, problems, openAnyway };
    return problems;
  }

  async #openMended(scenario: unknown, refused: readonly Problem[], name: string): Promise<void> {
    this.refused = null;
    const mended =
      refused.length > 0 ? await this.mend(scenario, refused) : { scenario, notes: [] };
    if (!mended) {
      const [first] = refused;
      this.#page.notices.show(
        'warning',
        `This file has too many errors. The first: ${first?.path ?? ''}: ${coreMessage(first?.message ?? '')}.`,
      );
      return;
    }
    this.#page.warn(mended.notes.map((note) => `In the file, ${note}`));
    await this.#openNew(mended.scenario, name);
  }

  /** Work from outside is kept at once: its file may be gone tomorrow. */
  async #openNew(scenario: unknown, name: string): Promise<void> {
    if (await this.#page.openScenario(scenario, this.#baseId)) await this.#page.kept.takeIn(name);
  }

  get #baseId(): string {
    return this.#page.config?.baseId ?? '';
  }

  /** The scenario with defaults where the core refuses it, or null. */
  async mend(
    scenario: unknown,
    problems: readonly Problem[],
  ): Promise<{ scenario: unknown; notes: readonly string[] } | null> {
    const { repair } = await import('../files/repair');
    const { run, base: from } = this.#page;
    const { catalog } = run;
    const base = from ?? catalog?.scenarios[0];
    if (!catalog || !base) return null;
    const notes: string[] = [];
    let now = scenario;
    let wrong = problems;
    // Each round corrects at least one field, so this ends; the number is a safety limit.
    for (let round = 0; round < 50 && wrong.length > 0; round++) {
      const better = repair(now, wrong, base.scenario, specOf(catalog, base.scenario.machine));
      if (!better) return null;
      now = better.scenario;
      notes.push(...better.notes);
      ({ errors: wrong } = await run.check(now));
    }
    return wrong.length === 0 ? { scenario: now, notes } : null;
  }

  /** Offers the scenario with its edits as a file. */
  save(): void {
    const { config, editing } = this.#page;
    if (config) saveFile(`${fileStem(editing.runName)}.json`, scenarioFile(config.scenario));
  }

  /** The same, beside a notice. */
  readonly offer = {
    label: 'Save the scenario as a file',
    run: () => {
      this.save();
    },
  };
}

/** The first few names, and a count of the others. */
function inWords(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES);
  if (rest > 0) shown.push(`${String(rest)} more`);
  return shown.length === 1
    ? (shown[0] ?? '')
    : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
}
