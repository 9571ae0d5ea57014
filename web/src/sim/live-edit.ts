/** Changes by controls, as edits of the lanes. */
import type { LaneApi } from './lane-api';
import type { Calls, EditStep, LaneNow, LiveEdit, Problem } from './protocol';
import type { ConfigErrors } from './types/ConfigErrors';
import type { Edit } from './types/Edit';
import type { Present } from './types/Present';

/** Events per call of the core: messages are let in between two calls. */
export const MAX_EVENTS = 4_000;

/** All lanes of a change, in order, in this worker or in several. */
export interface EditedLanes {
  /** Runs the remaining events of this instant; returns the lanes' state, with the size of a group if one is named. */
  settle(group: number | null): Promise<readonly LaneNow[]>;
  /** Takes back the edits of an instant that came after a given event of each lane. */
  takeBack(
    events: readonly number[],
    atNs: number,
    group: number | null,
  ): Promise<readonly LaneNow[]>;
  /** Makes an edit; returns its problems by lane. */
  change(step: EditStep): Promise<readonly (readonly Problem[])[]>;
}

/** The last change, and the state that the next changes of its drag go back to. */
interface Last {
  /** The drag that it belongs to; null if it stands alone. */
  readonly drag: number | null;
  readonly atNs: number;
  /** The number of the last event of each lane before the drag, and after the change. */
  readonly before: readonly number[];
  readonly after: readonly number[];
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

  settle(group: number | null): Promise<readonly LaneNow[]> {
    completeInstant(this.#lanes);
    return Promise.resolve(this.#now(group));
  }

  async takeBack(
    events: readonly number[],
    atNs: number,
    group: number | null,
  ): Promise<readonly LaneNow[]> {
    for (const [i, lane] of this.#lanes.entries())
      while (!lane.take_back(events[i] ?? 0, atNs, MAX_EVENTS)) await this.#breathe();
    return this.#now(group);
  }

  change({ edit, lane: only }: EditStep): Promise<readonly (readonly Problem[])[]> {
    const json = JSON.stringify(edit);
    return Promise.resolve(
      this.#lanes.map(
        (lane) => (JSON.parse(lane.edit(json, only ?? undefined)) as ConfigErrors).errors,
      ),
    );
  }

  #now(group: number | null): readonly LaneNow[] {
    return this.#lanes.map((lane) => ({
      event: this.#eventOf(lane),
      isFinished: lane.is_finished(),
      count:
        group === null ? 0 : ((JSON.parse(lane.present()) as Present).groups[group]?.count ?? 0),
    }));
  }
}

/** The edits of a change. If lanes have different numbers of threads, each gets its own edit. */
function stepsOf(
  edit: LiveEdit,
  only: number | null,
  lanes: readonly LaneNow[],
  groups: readonly string[],
): readonly EditStep[] {
  if (edit.kind !== 'setCount') return [{ edit, lane: only }];
  const group = groups[edit.group];
  if (group === undefined) return [];
  const missing = lanes.flatMap(({ isFinished, count }, lane) =>
    isFinished || (only !== null && only !== lane) ? [] : [{ lane, more: edit.count - count }],
  );
  const isSame = missing.every(({ more }) => more === missing[0]?.more);
  return (isSame ? missing.slice(0, 1) : missing).flatMap(({ lane, more }) => {
    if (more === 0) return [];
    const made: Edit =
      more > 0
        ? { kind: 'spawn', group, count: more }
        : { kind: 'kill', target: { group }, count: -more };
    return [{ edit: made, lane: isSame ? only : lane }];
  });
}

/**
 * Makes edits in turn; returns the problems of the first one that all lanes refuse. Some lanes may refuse one: a
 * tunable of another scheduler.
 */
async function carryOut(
  steps: readonly EditStep[],
  lanes: EditedLanes,
): Promise<readonly Problem[]> {
  for (const step of steps) {
    const answers = await lanes.change(step);
    if (answers.every((errors) => errors.length > 0)) return answers.at(-1) ?? [];
  }
  return [];
}

/** Changes of one scenario's lanes. While time stands, changes of one drag replace each other. */
export class LiveEdits {
  readonly #groups: readonly string[];
  #last: Last | null = null;

  /** `groups`: the names of the scenario's groups. */
  constructor(groups: readonly string[]) {
    this.#groups = groups;
  }

  /** Makes a change in all lanes at their common time. */
  async make(
    { edit, lane: only, drag }: Calls['edit']['args'],
    lanes: EditedLanes,
    atNs: number,
  ): Promise<Made> {
    const group = edit.kind === 'setCount' ? edit.group : null;
    let now = await lanes.settle(group);
    const last = drag !== null && this.#last?.drag === drag ? this.#last : null;
    const wentBack = last?.atNs === atNs && last.after.every((event, i) => event === now[i]?.event);
    const before = wentBack ? last.before : now.map(({ event }) => event);
    if (wentBack) now = await lanes.takeBack(before, atNs, group);
    let steps = stepsOf(edit, only, now, this.#groups);
    const problems = await carryOut(steps, lanes);
    if (problems.length > 0) {
      // A refused change does not replace the earlier one.
      steps = wentBack ? last.steps : [];
      await carryOut(steps, lanes);
    }
    const after = (await lanes.settle(null)).map(({ event }) => event);
    this.#last = { drag, atNs, before, after, steps };
    return { problems, wentBack };
  }
}
