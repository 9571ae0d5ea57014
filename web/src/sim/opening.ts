/**
 * Finds where a scenario opens: at the time that it gives, or a drawn second before the first moment of the kind that
 * it names. Moments are found in the run itself, so that they stay true when the core changes; for some kinds the run
 * is inspected once per simulated millisecond.
 *
 * Without `opening`, it is the first moment at which a thread has just moved, two workload threads share a core and
 * another core is idle. Failing that, it is the first move of a thread, else a few slices into the run.
 *
 * The caller may pause the search at every yield, to let messages in.
 */
import { MS } from '../lib/units';
import { Frame, FrameSchema, TaskState } from './frame';
import type { LaneApi } from './lane-api';
import type { Catalog } from './types/Catalog';
import type { MomentKind } from './types/MomentKind';
import type { Scenario } from './types/Scenario';

/** How much of the run is searched. */
const SEARCH_MS = 1500;
/** Most threads to inspect in all, each of them at every look: a look at 10,000 threads takes some milliseconds. */
const MAX_LOOKS = 1_000_000;
const MAX_EVENTS = 2_000;
/** Most pieces of so many events that a search takes without getting where it wants: then it opens at its start. */
const MAX_PIECES = 1_000;
const FALLBACK_NS = 60 * MS;
/** Time before a moment, for a scenario without a speed. */
const LEAD_NS = 20 * MS;

/** Whether two workload threads share a core while another core is idle. */
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

/** Where a scenario opens; `core` gives the core of each CPU. The lane stands at the end of the search afterwards. */
export function* findOpening(
  lane: LaneApi,
  catalog: Catalog,
  scenario: Scenario,
  core: readonly number[],
): Generator<undefined, number> {
  const { opening } = scenario;
  if (opening?.atNs !== undefined) return Math.min(opening.atNs, lane.end_ns());
  const settled = Math.ceil(startOf(scenario) / MS) * MS;
  const fallback = Math.min(settled + FALLBACK_NS, lane.end_ns());
  const look = (fromNs: number, what: Wanted) =>
    firstLook(lane, catalog, scenario, fromNs, { core, what });
  if (opening?.moment === undefined) return (yield* look(settled, 'worthIt')) ?? fallback;
  const at = isLook(opening.moment)
    ? yield* look(opening.moment === 'wait' ? 0 : settled, opening.moment)
    : yield* firstStep(lane, opening.moment);
  if (at === null) return fallback;
  // A waiting thread goes on waiting, so it need not open before.
  return opening.moment === 'wait' ? at : Math.max(0, at - (opening.speed ?? LEAD_NS));
}

/** The purpose of a search: a kind of moment, or a moment worth seeing. */
type Wanted = 'worthIt' | 'wait' | 'sharedCore' | 'refusal';

/** Moments that are states, not events, so that frames are inspected. A refusal leaves two threads on one core. */
function isLook(kind: MomentKind): kind is 'wait' | 'sharedCore' | 'refusal' {
  return kind === 'wait' || kind === 'sharedCore' || kind === 'refusal';
}

/** The time of the first event of a kind; null if there is none, 0 if there is none soon. */
function* firstStep(lane: LaneApi, kind: MomentKind): Generator<undefined, number | null> {
  for (let pieces = 0; pieces < MAX_PIECES; pieces++) {
    const found = lane.step(kind, false, -1, -1, MAX_EVENTS);
    if (found !== undefined) return found ? lane.now() : null;
    yield;
  }
  return 0;
}

/** The time of the first look that finds it; null if there is none, 0 if there is none soon. */
function* firstLook(
  lane: LaneApi,
  catalog: Catalog,
  scenario: Scenario,
  fromNs: number,
  { core, what }: { core: readonly number[]; what: Wanted },
): Generator<undefined, number | null> {
  const schema = new FrameSchema(catalog, scenario.schedulers[0]?.id ?? '');
  const { groups } = JSON.parse(lane.task_groups()) as { groups: { background: boolean }[] };
  let firstMove: number | null = null;
  let moves = -1;
  let looks = 0;
  let pieces = 0;
  for (let ms = 0; ms < SEARCH_MS && looks < MAX_LOOKS; ms++) {
    const at = Math.min(lane.end_ns(), fromNs + ms * MS);
    while (lane.now() < at && !lane.is_finished()) {
      lane.advance(at, MAX_EVENTS);
      if (lane.now() < at && (pieces += 1) >= MAX_PIECES) return firstMove ?? 0;
      yield;
    }
    if (lane.is_finished()) break;
    const frame = new Frame(schema, lane.frame());
    looks += frame.tasks;
    const group = frame.task('group');
    const isDaemon = (t: number) => groups[group[t] ?? -1]?.background === true;
    if (what === 'wait') {
      if (hasWaiting(frame, isDaemon)) return at;
      continue;
    }
    const now = movesOf(frame, isDaemon);
    const hasMoved = moves >= 0 && now > moves;
    moves = now;
    if (!hasMoved && what === 'worthIt') continue;
    if (isUneven(frame, core, isDaemon)) return at;
    if (what === 'worthIt') firstMove ??= at;
  }
  return firstMove;
}

/** Whether a thread of the workload is ready but not running. */
function hasWaiting(frame: Frame, isDaemon: (task: number) => boolean): boolean {
  return frame.task('state').some((s, t) => s === TaskState.queued && !isDaemon(t));
}

/** When the last thread has started, and a little later: before that, everything is in motion. */
function startOf(scenario: Scenario): number {
  let last = 0;
  for (const g of scenario.groups) {
    last = Math.max(last, g.startNs + g.count * g.startSpacingNs);
  }
  return last + 16 * MS;
}
