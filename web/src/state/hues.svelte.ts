/**
 * Chooses the threads that get hues of their own in a large group: the same few in all lanes, those with most
 * activity.
 */
import { chooseStanding, freeHues, type StandingOut, standOut } from '../lib/thread-hues';
import type { Tally } from '../sim/recent';
import type { LaneState } from './lane.svelte';

/** How many moves weigh as much as a change of share by a whole CPU. */
const MOVES_PER_SHARE = 8;

/** The newest report of a lane. */
interface Known {
  readonly lane: LaneState;
  /** The drawn time that it is about. */
  readonly toNs: number;
  /** By thread. */
  readonly shares: Float64Array;
  /** By name; of two threads with one name the last counts. */
  readonly scores: ReadonlyMap<string, number>;
}

/** Receives from the lanes what their threads did in the last drawn second. */
export class Hues {
  /** Rises when a thread gets or loses its own hue. */
  revision = $state(0);
  #held: readonly StandingOut[] = [];
  readonly #known = new Map<number, Known>();

  /** A lane reports what happened; `lanes` are all lanes of the run. */
  report(lane: LaneState, lanes: readonly LaneState[], tally: Tally, nowMs: number): void {
    const free = freeHues(lane.names);
    if (free.length === 0) return;
    const before = this.#known.get(lane.index);
    const isNew = before?.lane !== lane || before.toNs !== tally.toNs;
    const follows =
      before?.lane === lane && before.toNs < tally.toNs && tally.fromNs <= before.toNs;
    // After a jump nobody can follow a colour, and the same moment has the same colours however it was reached.
    if (isNew && !follows) this.#held = [];
    if (isNew) this.#known.set(lane.index, freshOf(lane, tally, follows ? before.shares : null));
    const all = new Map<string, number>();
    for (const [index, known] of this.#known) {
      if (lanes[index] !== known.lane) this.#known.delete(index);
      else
        for (const [name, score] of known.scores)
          all.set(name, Math.max(score, all.get(name) ?? 0));
    }
    const next = chooseStanding(this.#held, all, free, nowMs);
    const isSame = next.length === this.#held.length && next.every((s) => this.#held.includes(s));
    this.#held = next;
    for (const one of lanes) {
      const hues = new Map<number, number>();
      for (const { name, hue } of next) {
        const task = one.idOf.get(name);
        if (task !== undefined) hues.set(task, hue);
      }
      standOut(one.names, hues);
    }
    if (!isSame) this.revision += 1;
  }
}

/** What a lane's threads did; `before` are their shares in the report that this one follows. */
function freshOf(lane: LaneState, tally: Tally, before: Float64Array | null): Known {
  const { tasks } = lane.names;
  const shares = sharesOf(tally, tasks.length);
  const scores = new Map<string, number>();
  for (let task = 0; task < tasks.length; task++) {
    if (lane.isBackground(task)) continue;
    const change = before ? Math.abs((shares[task] ?? 0) - (before[task] ?? 0)) : 0;
    const score = (tally.movesOf.get(task) ?? 0) + MOVES_PER_SHARE * change;
    scores.set(tasks[task] ?? '', score);
  }
  return { lane, toNs: tally.toNs, shares, scores };
}

/** Part of a CPU that each thread had. */
function sharesOf({ had, fromNs, toNs }: Tally, tasks: number): Float64Array {
  const shares = new Float64Array(tasks);
  const length = Math.max(1, toNs - fromNs);
  for (const of of had)
    for (const [task, ns] of of) shares[task] = (shares[task] ?? 0) + ns / length;
  return shares;
}
