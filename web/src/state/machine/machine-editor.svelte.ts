/**
 * The machine that the user edits. A valid machine runs at once, like every other change. An invalid one stays here
 * with the core's reasons, while the run goes on with the last valid machine.
 */
import { coreMessage } from '../../lib/core-message';
import { sameJson } from '../../lib/json';
import { type Path, setAt } from '../../lib/paths';
import { Superseded } from '../../sim/client';
import type { Problem } from '../../sim/protocol';
import type { MachineRef } from '../../sim/types/MachineRef';
import type { MachineSpec } from '../../sim/types/MachineSpec';
import type { MachineTree } from '../../sim/types/MachineTree';
import type { Scenario } from '../../sim/types/Scenario';
import { specOf } from './machine';
import { ownCopy, pathText } from './machine-edit';
import { type Change, toSet } from '../editing/change';
import type { Config } from '../config.svelte';
import type { Playback } from '../playback.svelte';
import type { Run } from '../run.svelte';

/** The part of the page that runs the machine. */
interface EditedPage {
  readonly run: Run;
  readonly config: Config | null;
  readonly playback: Pick<Playback, 'tracked'>;
  readonly editing: { change(change: Change): void };
}

/** See the module comment. */
export class MachineEditor {
  /** The machine in the fields. */
  draft = $state.raw<MachineSpec | null>(null);
  /** Its problems. */
  problems = $state.raw<readonly Problem[]>([]);
  /** The last valid machine, for the picture. */
  tree = $state.raw<MachineTree | null>(null);
  readonly #page: EditedPage;
  /** The machine that the run was given last. */
  #given: MachineRef | null = null;
  #checks = 0;

  constructor(page: EditedPage) {
    this.#page = page;
  }

  /** Whether the edited machine differs from the one that runs. */
  get isRefused(): boolean {
    return this.problems.length > 0;
  }

  /** Takes over the machine of the scenario when it was changed elsewhere: a picker, a link, undo. */
  follow(machine: MachineRef): void {
    const { catalog } = this.#page.run;
    // The core returns the machine that it was given: nothing to take over.
    if (!catalog || sameJson(machine, this.#given)) return;
    this.#checks += 1;
    this.#given = machine;
    this.draft = specOf(catalog, machine);
    this.problems = [];
    this.tree = this.#page.run.tree;
  }

  /** Sets a field. */
  set(path: Path, value: unknown): void {
    this.change((spec) => setAt(spec, path, value));
  }

  /** Changes the machine. */
  change(to: (spec: MachineSpec) => MachineSpec): void {
    if (!this.draft) return;
    this.draft = to(ownCopy(this.draft));
    void this.#page.playback.tracked(() => this.#check());
  }

  /** The problem with a field. */
  problemAt(path: Path): string {
    const text = pathText(path);
    return this.problems
      .filter((p) => p.path === text)
      .map((p) => coreMessage(p.message))
      .join('; ');
  }

  async #check(): Promise<void> {
    const { config, run } = this.#page;
    const { draft } = this;
    if (!config || !draft) return;
    const mine = ++this.#checks;
    const scenario: Scenario = { ...config.scenario, machine: draft };
    const result = await run.machine(scenario).catch((error: unknown) => {
      // A run that starts again drops earlier requests, so this is asked again.
      if (error instanceof Superseded) return null;
      throw error;
    });
    if (mine !== this.#checks) return;
    if (result === null) {
      await this.#check();
    } else if ('problems' in result) {
      this.problems = result.problems;
    } else {
      this.problems = [];
      this.tree = result.tree;
      this.#given = draft;
      this.#page.editing.change(toSet(['machine'], draft));
    }
  }
}
