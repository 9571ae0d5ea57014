/** Changes by controls, as edits of the lanes. */
import type { LaneApi } from './lane-api';
import type { Calls, EditStep, Problem } from './protocol';
import { settingOf } from './property/edit';
import type { ConfigErrors } from './types/ConfigErrors';

/** Events per call of the core: messages are let in between two calls. */
export const MAX_EVENTS = 4_000;

/** All lanes of a change, in order, in this worker or in several. */
export interface EditedLanes {
  /** Runs the remaining events of this instant; returns the number of each lane's last event. */
  settle(): Promise<readonly number[]>;
  /** Takes back the edits of an instant that came after a given event of each lane. */
  takeBack(events: readonly number[], atNs: number): Promise<readonly null[]>;
  /** Makes an edit; returns its problems by lane. */
  change(step: EditStep): Promise<readonly (readonly Problem[])[]>;
}

/** The last change, and the state that the next changes of its drag go back to. */
interface LastEdit {
  /** The drag that it belongs to; null if it stands alone. */
  readonly drag: number | null;
  readonly atNs: number;
  /** The number of the last event of each lane before the drag, and after the change. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** What the drag has changed by then, each property once. */
  readonly steps: readonly EditStep[];
}

/** The result of a change. */
interface Made {
  readonly problems: readonly Problem[];
  /** Whether an earlier edit of this instant was taken back. */
  readonly wentBack: boolean;
}

/** Runs the remaining events of this instant: then the time alone identifies the state, as links need it. */
export function completeInstant(lanes: readonly LaneApi[]): void {
  for (const lane of lanes) while (!lane.seek_some(lane.now(), MAX_EVENTS));
}

/** The lanes of this worker. */
export class OwnLanes implements EditedLanes {
  readonly #lanes: readonly LaneApi[];
  readonly #eventOf: (lane: LaneApi) => number;
  readonly #breathe: () => Promise<void>;

  /** `eventOf` gives the number of a lane's last event. */
  constructor(
    lanes: readonly LaneApi[],
    eventOf: (lane: LaneApi) => number,
    breathe: () => Promise<void>,
  ) {
    this.#lanes = lanes;
    this.#eventOf = eventOf;
    this.#breathe = breathe;
  }

  settle(): Promise<readonly number[]> {
    completeInstant(this.#lanes);
    return Promise.resolve(this.#lanes.map(this.#eventOf));
  }

  async takeBack(events: readonly number[], atNs: number): Promise<readonly null[]> {
    for (const [i, lane] of this.#lanes.entries())
      while (!lane.take_back(events[i] ?? 0, atNs, MAX_EVENTS)) await this.#breathe();
    return [];
  }

  change({ edit, lane: only }: EditStep): Promise<readonly (readonly Problem[])[]> {
    const json = JSON.stringify(edit);
    return Promise.resolve(
      this.#lanes.map(
        (lane) => (JSON.parse(lane.edit(json, only ?? undefined)) as ConfigErrors).errors,
      ),
    );
  }
}

/**
 * Makes an edit; returns its problems if all lanes refuse it. Some lanes may refuse one: a tunable of another scheduler.
 */
async function carryOut(step: EditStep, lanes: EditedLanes): Promise<readonly Problem[]> {
  const answers = await lanes.change(step);
  return answers.every((errors) => errors.length > 0) ? (answers.at(-1) ?? []) : [];
}

/** Whether two edits set one property: the later one replaces the earlier one. */
const isOfSame = (a: EditStep, b: EditStep): boolean =>
  a.lane === b.lane && settingOf(a.edit)?.path === settingOf(b.edit)?.path;

/** Changes of one scenario's lanes. While time stands, changes of one drag replace each other, each property by itself. */
export class LiveEdits {
  #last: LastEdit | null = null;

  /** Makes a change in all lanes at their common time. */
  async make(
    { edit, lane, drag }: Calls['edit']['args'],
    lanes: EditedLanes,
    atNs: number,
  ): Promise<Made> {
    const now = await lanes.settle();
    const last = drag !== null && this.#last?.drag === drag ? this.#last : null;
    const wentBack = last?.atNs === atNs && last.after.every((event, i) => event === now[i]);
    const before = wentBack ? last.before : now;
    if (wentBack) await lanes.takeBack(before, atNs);
    const step = { edit, lane };
    const done = wentBack ? last.steps : [];
    const kept = done.filter((one) => !isOfSame(one, step));
    const replaced = done.filter((one) => isOfSame(one, step));
    for (const one of kept) await carryOut(one, lanes);
    const problems = await carryOut(step, lanes);
    // A refused change does not replace the earlier one.
    if (problems.length > 0) for (const one of replaced) await carryOut(one, lanes);
    const after = await lanes.settle();
    const steps = [...kept, ...(problems.length > 0 ? replaced : [step])];
    this.#last = { drag, atNs, before, after, steps };
    return { problems, wentBack };
  }
}
