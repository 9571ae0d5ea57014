/**
 * Where a scenario opens: a moment worth looking at, found in the run itself so that it stays true
 * when the core changes. It is the first moment at which two workload threads share a core while
 * another core stands empty, shortly after a move; failing that, the first move of a thread; failing
 * that, a few slices into the run.
 */
import { Frame, FrameSchema, TaskState } from './frame';
import type { LaneApi } from './lane-api';
import type { Catalog } from './types/Catalog';
import type { Scenario } from './types/Scenario';

const MAX_MOVES = 400;
const MAX_MS = 150;
/** A move is still seen as the cause of what follows it within this time. */
const SOON_NS = 2_000_000;
const MAX_SWITCHES = 20;
const FALLBACK_NS = 60_000_000;

/** Whether two workload threads share a core while some core is free of them (or of everything). */
function isUneven(
  frame: Frame,
  core: readonly number[],
  background: readonly boolean[],
  isWhollyIdle = false,
): boolean {
  const state = frame.task('state');
  const cpu = frame.task('cpu');
  const group = frame.task('group');
  const perCore = new Map<number, number>(core.map((c) => [c, 0]));
  for (let t = 0; t < frame.tasks; t++) {
    if (state[t] !== TaskState.running || background[group[t] ?? -1] === true) continue;
    const c = core[cpu[t] ?? -1];
    if (c !== undefined) perCore.set(c, (perCore.get(c) ?? 0) + 1);
  }
  if (isWhollyIdle) {
    const curr = frame.cpu('curr');
    const busy = new Set(core.filter((_, c) => (curr[c] ?? -1) >= 0));
    if (busy.size === perCore.size) return false;
  }
  const counts = [...perCore.values()];
  return counts.includes(0) && counts.some((n) => n > 1);
}

/** Time of the moment. Leaves the lane wherever the search ended. */
export function findOpening(
  lane: LaneApi,
  catalog: Catalog,
  scenario: Scenario,
  clock: () => number,
): number {
  const { machine } = scenario;
  const id = typeof machine === 'string' ? machine : machine.id;
  const core = catalog.machines.find((m) => m.spec.id === id)?.tree.core ?? [];
  const schema = new FrameSchema(catalog, scenario.schedulers[0]?.id ?? '');
  const { groups } = JSON.parse(lane.task_groups()) as { groups: { background: boolean }[] };
  const background = groups.map((g) => g.background);
  const settled = startOf(scenario);
  const deadline = clock() + MAX_MS;
  let firstMove = -1;
  for (let i = 0; i < MAX_MOVES && clock() < deadline && lane.step('migration'); i++) {
    if (lane.now() < settled) continue;
    if (firstMove < 0) firstMove = lane.now();
    if (!isUneven(new Frame(schema, lane.frame()), core, background)) continue;
    const moved = lane.now();
    // The thread that pushed the other one away soon sleeps again, and its core stands empty.
    for (let k = 0; k < MAX_SWITCHES && lane.step('switch') && lane.now() - moved < SOON_NS; k++) {
      if (isUneven(new Frame(schema, lane.frame()), core, background, true)) return lane.now();
    }
    return moved;
  }
  if (firstMove >= 0) return firstMove;
  return Math.min(settled + FALLBACK_NS, lane.end_ns());
}

/** When the last thread has started, and a little more: before that everything is in motion. */
function startOf(scenario: Scenario): number {
  let last = 0;
  for (const g of scenario.groups) {
    last = Math.max(last, (g.startNs ?? 0) + g.count * (g.startSpacingNs ?? 1_000_000));
  }
  return last + 20_000_000;
}
