/**
 * The program of a lane in its editor. It is read at each pause of the writer. A program that can be read runs at once, as
 * every other change does; one that cannot stays here with its mistakes, while the last one that could goes on.
 */
import { coreMessage } from '../../lib/core-message';
import { type Mistake, mistakeOf, MOST_BYTES, OWN, placeIn, programOf } from '../../sim/policy/own';
import { Superseded } from '../../sim/client';
import { editOf } from '../../sim/property/edit';
import type { Scenario } from '../../sim/types/Scenario';
import type { SchedulerChoice } from '../../sim/types/SchedulerChoice';
import { type Change, toSet } from '../editing/change';
import { newDrag } from '../editing/gesture';
import type { Run } from '../run.svelte';

export { choiceBefore, type Mistake, offsetOf } from '../../sim/policy/own';

/** A pause of the writer. */
const PAUSE_MS = 300;

/** Whether a lane runs an own policy. */
export const isOwnPolicy = ({ id }: { readonly id: string }): boolean => id === OWN;

/** The program of a policy of the textbook. */
export const textbookProgram = (era: string): Promise<string> =>
  programOf({ id: OWN, era, tunables: {} });

const ownLane = (program: string): SchedulerChoice => ({ id: OWN, program, tunables: {} });

/** The place in a program that stopped its lane; null if the sentence names none. */
export function stopOf(
  fault: { readonly message: string } | null,
): { readonly line: number; readonly column: number } | null {
  const place = placeIn(fault?.message ?? '');
  return place && { line: place.line, column: place.column ?? 1 };
}

/** The part of the page that runs the program. */
interface RunningPage {
  readonly run: Pick<Run, 'check'>;
  readonly config: { readonly scenario: Scenario } | null;
  readonly playback: { readonly goalNs: number; tracked(work: () => Promise<void>): Promise<void> };
  readonly editing: { change(change: Change, drag?: number): void };
}

/** See the module comment. */
export class OwnProgram {
  readonly #page: RunningPage;
  readonly #lane: number;
  /** The text in the editor. */
  text = $state('');
  /** What is wrong with it; the program that runs is an older one then. */
  mistakes = $state.raw<readonly Mistake[]>([]);
  /** Whether a program takes over at the present moment, and what ran before it stays; else the lane starts again with it. */
  isFromNow = $state(false);
  /** While time stands, each program takes the place of the one before it. */
  readonly #drag = newDrag();
  /** Rises when the text was replaced from elsewhere. */
  replaced = $state(0);
  /** The program that the run was given last, or that it has from elsewhere. */
  #given: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #checks = 0;

  constructor(page: RunningPage, lane: number) {
    this.#page = page;
    this.#lane = lane;
  }

  /** Takes over the program of the scenario when it was changed elsewhere: a template, a link, undo. */
  async follow(choice: SchedulerChoice): Promise<void> {
    const checks = this.#checks;
    const program = await programOf(choice);
    if (program === this.#given || checks !== this.#checks) return;
    this.#stop();
    this.#given = program;
    this.text = program;
    this.mistakes = [];
    this.replaced += 1;
  }

  /** Takes what was written; it is read when the writer pauses. */
  write(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.#stop();
    this.#timer = setTimeout(() => {
      void this.#page.playback.tracked(() => this.read());
    }, PAUSE_MS);
  }

  /** Replaces the text, as by a file, and reads it at once. */
  async replace(text: string): Promise<void> {
    this.#stop();
    this.text = text;
    this.replaced += 1;
    await this.read();
  }

  /** Reads the text, and runs it if that succeeds. */
  async read(): Promise<void> {
    const { config, playback, run } = this.#page;
    const { text } = this;
    const checks = this.#checks;
    if (!config || text === this.#given) {
      this.mistakes = [];
      return;
    }
    const bytes = new TextEncoder().encode(text).length;
    if (bytes > MOST_BYTES) {
      const message = `The program has ${String(bytes)} bytes. It may have ${String(MOST_BYTES)}, which also fit into a link.`;
      this.mistakes = [{ line: null, column: null, message }];
      return;
    }
    const { scenario } = config;
    const number = String(this.#lane + 1);
    const atNs = this.isFromNow ? playback.goalNs : 0;
    const live = ['lanes', number, 'program'];
    const [draft, path, change] =
      atNs > 0
        ? ([
            { ...scenario, edits: [...scenario.edits, { atNs, ...editOf(live, text) }] },
            `edits[${String(scenario.edits.length)}].set`,
            toSet(live, text),
          ] as const)
        : ([
            { ...scenario, schedulers: scenario.schedulers.with(this.#lane, ownLane(text)) },
            `schedulers[${String(this.#lane)}].program`,
            toSet(['lanes', number], { id: OWN, program: text }),
          ] as const);
    try {
      const { errors } = await run.check(draft);
      // The writer went on meanwhile.
      if (checks !== this.#checks) return;
      const own = errors.filter((error) => error.path === path);
      this.mistakes = own.map(({ message }) => {
        const mistake = mistakeOf(message);
        return { ...mistake, message: coreMessage(mistake.message) };
      });
      if (own.length > 0) return;
    } catch (error) {
      // Another run has begun; its lanes are followed.
      if (error instanceof Superseded) return;
      throw error;
    }
    this.#given = text;
    this.#page.editing.change(change, this.#drag);
  }

  /** Nothing is read any more. */
  close(): void {
    this.#stop();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#checks += 1;
  }
}
