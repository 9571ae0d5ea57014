/** Steps from event to event: what they look for, and the way to the next moment worth seeing. */
import type { About, StepKind } from '../sim/protocol';
import type { Scenario } from '../sim/types/Scenario';
import type { ShownMoment } from './shown-moment.svelte';
import { ANYTHING, type Playback } from './playback.svelte';
import type { Run } from './run.svelte';
import type { Selection } from './selection.svelte';

/** Most background moves that a search for a moment skips before it stops. */
const MAX_STEPS = 500;

/** What steps need of the page. */
interface SteppedPage {
  readonly run: Pick<Run, 'lanes' | 'nowNs'>;
  readonly selection: Pick<Selection, 'lane' | 'thread' | 'cpu'>;
  readonly playback: Pick<Playback, 'step' | 'message'>;
  readonly moment: Pick<ShownMoment, 'seek'>;
  readonly config: { readonly scenario: Scenario } | null;
  /** The changes since the scenario was opened. */
  readonly editing: { readonly changes: readonly unknown[] };
}

/** See the module comment. */
export class Steps {
  readonly #page: SteppedPage;
  /** The kind of event at which steps stop. */
  kind = $state<StepKind>('migration');
  /** Whether they only stop at events of the selection. */
  ofSelection = $state(false);

  constructor(page: SteppedPage) {
    this.#page = page;
  }

  /** The thread or CPU whose events steps look for, in the selected lane. */
  get about(): About {
    const { selection, run } = this.#page;
    if (!this.ofSelection) return ANYTHING;
    if (selection.cpu !== null) return { task: -1, cpu: selection.cpu };
    const task =
      selection.thread === null ? undefined : run.lanes[selection.lane]?.idOf.get(selection.thread);
    return { task: task ?? -1, cpu: -1 };
  }

  /** Makes one step of the chosen kind. */
  step(back = false): void {
    const { playback, run, selection } = this.#page;
    const lane = run.lanes[selection.lane];
    const reason = this.kind.startsWith('reason:') ? this.kind.slice(7) : null;
    if (lane && reason !== null && !lane.reasons.has(reason)) {
      playback.message = `${lane.title} has no such reason.`;
      return;
    }
    void playback.step(selection.lane, this.kind, back, this.about);
  }

  /**
   * Goes to the next moment worth seeing: one that an unchanged scenario names, else a move of a workload thread. If
   * the user chose what steps look for, it steps to that instead.
   */
  async toMoment(back = false): Promise<void> {
    const { config, editing, moment, playback, run, selection } = this.#page;
    const lane = run.lanes[selection.lane];
    if (!lane || this.kind !== 'migration') {
      this.step(back);
      return;
    }
    const { seek } = moment;
    const named = editing.changes.length === 0 ? (config?.scenario.moments ?? []) : [];
    if (seek && named.length > 0) {
      await seek(lane, named, back);
      return;
    }
    for (let tries = 0; tries < MAX_STEPS; tries += 1) {
      const found = await playback.step(lane.index, 'migration', back, this.about);
      const move = lane.history.moves.at(-1);
      if (!found || (move?.atNs === run.nowNs && !lane.isBackground(move.task))) return;
    }
  }
}
