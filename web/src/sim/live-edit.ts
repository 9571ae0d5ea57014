/** Changes of controls as edits of the lanes, which are asked what there is. */
import type { LaneApi } from './lane-api';
import type { Calls, LiveEdit, Problem } from './protocol';
import type { ConfigErrors } from './types/ConfigErrors';
import type { Edit } from './types/Edit';
import type { Present } from './types/Present';

/** Events per call into the core: between two calls messages are let in. */
export const MAX_EVENTS = 4_000;

/** An edit, for every lane or for one. */
interface Step {
  readonly edit: Edit;
  readonly lane: number | null;
}

/** The last change, and what the others of its drag go back to. */
interface Last {
  /** The drag that it belongs to; null if it stands alone. */
  readonly drag: number | null;
  readonly atNs: number;
  /** The number of the last event of each lane before the drag, and after the change. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly steps: readonly Step[];
}

/** What came of a change. */
interface Made {
  readonly problems: readonly Problem[];
  /** Whether what was done at this instant before was taken back. */
  readonly wentBack: boolean;
}

/** Nothing is left to happen at this very instant: then the time alone tells the state, as links need it. */
export function completeInstant(lanes: readonly LaneApi[]): void {
  for (const lane of lanes) while (!lane.seek_some(lane.now(), MAX_EVENTS));
}

/** The edits of a change. Lanes may have different numbers of threads: then each gets its own. */
function stepsOf(
  edit: LiveEdit,
  only: number | null,
  lanes: readonly LaneApi[],
  groups: readonly string[],
): readonly Step[] {
  if (edit.kind !== 'setCount') return [{ edit, lane: only }];
  const group = groups[edit.group];
  if (group === undefined) return [];
  const missing = lanes.flatMap((api, lane) => {
    if (api.is_finished() || (only !== null && only !== lane)) return [];
    const { groups: now } = JSON.parse(api.present()) as Present;
    return [{ lane, more: edit.count - (now[edit.group]?.count ?? 0) }];
  });
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

/** Makes edits in turn; what is wrong with them. Lanes that refuse one (a tunable of another scheduler) do not count. */
function carryOut(steps: readonly Step[], lanes: readonly LaneApi[]): readonly Problem[] {
  for (const { edit, lane: only } of steps) {
    const json = JSON.stringify(edit);
    const answers = lanes.map(
      (lane) => (JSON.parse(lane.edit(json, only ?? undefined)) as ConfigErrors).errors,
    );
    if (answers.every((errors) => errors.length > 0)) return answers.at(-1) ?? [];
  }
  return [];
}

/** Changes of the lanes of one scenario. While time stands, those of one drag replace each other. */
export class LiveEdits {
  readonly #groups: readonly string[];
  readonly #eventOf: (lane: LaneApi) => number;
  #last: Last | null = null;

  /** `eventOf` tells the number of a lane's last event. */
  constructor(groups: readonly string[], eventOf: (lane: LaneApi) => number) {
    this.#groups = groups;
    this.#eventOf = eventOf;
  }

  /** Makes a change in all lanes at their common time. */
  async make(
    { edit, lane: only, drag }: Calls['edit']['args'],
    lanes: readonly LaneApi[],
    atNs: number,
    breathe: () => Promise<void>,
  ): Promise<Made> {
    completeInstant(lanes);
    const here = lanes.map(this.#eventOf);
    const last = drag !== null && this.#last?.drag === drag ? this.#last : null;
    const wentBack = last?.atNs === atNs && last.after.every((event, i) => event === here[i]);
    const before = wentBack ? last.before : here;
    if (wentBack)
      for (const [i, lane] of lanes.entries())
        while (!lane.take_back(before[i] ?? 0, atNs, MAX_EVENTS)) await breathe();
    let steps = stepsOf(edit, only, lanes, this.#groups);
    const problems = carryOut(steps, lanes);
    if (problems.length > 0) {
      // What is refused does not take the place of what was there.
      steps = wentBack ? last.steps : [];
      carryOut(steps, lanes);
    }
    completeInstant(lanes);
    this.#last = { drag, atNs, before, after: lanes.map(this.#eventOf), steps };
    return { problems, wentBack };
  }
}
