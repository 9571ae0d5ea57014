/**
 * Where a scenario opens: a moment worth looking at, found in the run itself so that it stays true
 * when the core changes. The run is looked at once per simulated millisecond. The moment is the
 * first at which a thread has just moved, two workload threads share a core and another core stands
 * empty; failing that, the first move of a thread; failing that, a few slices into the run.
 * Whoever runs the search may pause it at every yield, to let messages in.
 */
import { MS } from '../lib/units';
import { Frame, FrameSchema, TaskState } from './frame';
import type { LaneApi } from './lane-api';
import type { Catalog } from './types/Catalog';
import type { Scenario } from './types/Scenario';

/** How much of the run is searched. */
const SEARCH_MS = 1500;
/** How many threads are looked at in all, each as often as the run is: a look at 10,000 takes some milliseconds. */
const MAX_LOOKS = 1_000_000;
const MAX_EVENTS = 20_000;
const FALLBACK_NS = 60 * MS;

/** Whether two workload threads share a core while another core has nothing to do at all. */
function isUneven(
  frame: Frame,
  core: readonly number[],
  isDaemon: (task: number) => boolean,
): boolean {
  const state = frame.task('state');
  const cpu = frame.task('cpu');
  const workers = new Map<number, number>();
  for (let t = 0; t < frame.tasks; t++) {
    const c = core[cpu[t] ?? -1];
    if (c === undefined || state[t] !== TaskState.running || isDaemon(t)) continue;
    workers.set(c, (workers.get(c) ?? 0) + 1);
  }
  const curr = frame.cpu('curr');
  const busy = new Set(core.filter((_, c) => (curr[c] ?? -1) >= 0));
  return busy.size < new Set(core).size && [...workers.values()].some((n) => n > 1);
}

/** Moves of workload threads so far. */
function movesOf(frame: Frame, isDaemon: (task: number) => boolean): number {
  return frame.task('migrations').reduce((sum, n, t) => (isDaemon(t) ? sum : sum + n), 0);
}

/** Time of the moment; `core` tells the core of each CPU. Leaves the lane wherever the search ended. */
export function* findOpening(
  lane: LaneApi,
  catalog: Catalog,
  scenario: Scenario,
  core: readonly number[],
): Generator<undefined, number> {
  const schema = new FrameSchema(catalog, scenario.schedulers[0]?.id ?? '');
  const { groups } = JSON.parse(lane.task_groups()) as { groups: { background: boolean }[] };
  const settled = Math.ceil(startOf(scenario) / MS) * MS;
  let firstMove = -1;
  let moves = -1;
  let looks = 0;
  for (let ms = 0; ms < SEARCH_MS && looks < MAX_LOOKS; ms++) {
    const at = Math.min(lane.end_ns(), settled + ms * MS);
    while (lane.now() < at && !lane.is_finished()) {
      lane.advance(at, MAX_EVENTS);
      yield;
    }
    if (lane.is_finished()) break;
    const frame = new Frame(schema, lane.frame());
    looks += frame.tasks;
    const group = frame.task('group');
    const isDaemon = (t: number) => groups[group[t] ?? -1]?.background === true;
    const now = movesOf(frame, isDaemon);
    const hasMoved = moves >= 0 && now > moves;
    moves = now;
    if (!hasMoved) continue;
    if (isUneven(frame, core, isDaemon)) return at;
    if (firstMove < 0) firstMove = at;
  }
  return firstMove >= 0 ? firstMove : Math.min(settled + FALLBACK_NS, lane.end_ns());
}

/** When the last thread has started, and a little more: before that everything is in motion. */
function startOf(scenario: Scenario): number {
  let last = 0;
  for (const g of scenario.groups) {
    last = Math.max(last, g.startNs + g.count * g.startSpacingNs);
  }
  return last + 16 * MS;
}
