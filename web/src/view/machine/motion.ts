/**
 * Motion between two true states, and nothing else: positions glide, states switch at once. Nobody
 * else may read what is in between.
 *
 * A thread that changes place more often than the eye can follow is no longer moved but cut, and
 * moves between two CPUs that are too many to be seen one by one become a flow with a count.
 */
import { ease, lerp, type Point } from '../../lib/geom';
import type { Move } from '../../sim/history';
import type { ReasonEntry } from '../../sim/types/ReasonEntry';
import type { Placed } from './placed';

/** Length of a move on the screen. */
export const GLIDE_MS = 220;
/** How long a trail stays. */
export const TRAIL_MS = 1100;
/** Moves per pair and drawn second from which on a pair is a flow. */
export const FLOW_FROM = 8;
/** Moves that are remembered; more than this are not told apart. */
export const MOST_SEEN = 2000;
/** Moves of a whole lane per drawn second from which on all of them are flows. */
export const STORM_FROM = 24;
/** Changes of place per drawn second from which on a thread is cut instead of moved. */
const CUT_FROM = 4;

/** A thread as drawn now. */
export interface Drawn extends Placed {
  /** Whether it is on its way; else it stands where it is. */
  readonly isMoving?: boolean;
}

/** The trail of one move, fading. */
export interface Trail extends Move {
  /** 1 fresh, 0 gone. */
  readonly strength: number;
}

/** Many moves between two CPUs. */
export interface Flow {
  readonly from: number;
  readonly to: number;
  readonly reason: ReasonEntry | null;
  /** The last of them. */
  readonly newest: Move;
  /** Moves in the last drawn second. */
  readonly perSecond: number;
}

interface Body {
  fromX: number;
  fromY: number;
  fromSize: number;
  place: Placed;
  startMs: number;
  recent: number[];
  /** Number of the picture that it was in last. */
  picture: number;
}

interface Seen {
  readonly move: Move;
  readonly ms: number;
}

/** Moving things of one lane. */
export class Motion {
  readonly #bodies = new Map<number, Body>();
  #seen: Seen[] = [];
  #lastSeq = -1;
  #picture = 0;

  /** Forgets everything: after a jump in time nothing has moved. */
  reset(lastSeq: number): void {
    this.#bodies.clear();
    this.#seen = [];
    this.#lastSeq = lastSeq;
  }

  /** Takes new moves of the trace. */
  notice(moves: readonly Move[], nowMs: number): void {
    for (let i = moves.length - 1; i >= 0; i--) {
      const move = moves[i];
      if (!move || move.seq <= this.#lastSeq) break;
      if (move.from >= 0 && move.from !== move.to) this.#seen.push({ move, ms: nowMs });
    }
    this.#lastSeq = Math.max(this.#lastSeq, moves.at(-1)?.seq ?? -1);
    if (this.#seen.length > MOST_SEEN) this.#seen.splice(0, this.#seen.length - MOST_SEEN);
  }

  /** Where everything is drawn at `nowMs`. `isCut` draws without motion. */
  at(placed: readonly Placed[], nowMs: number, isCut: boolean): Drawn[] {
    this.#picture += 1;
    const drawn = placed.map((place): Drawn => {
      const body = this.#follow(place, nowMs);
      const hurried = isCut || body.recent.length >= CUT_FROM;
      const progress = (nowMs - body.startMs) / GLIDE_MS;
      if (hurried || progress >= 1) return place;
      const t = ease(progress);
      return {
        ...place,
        x: lerp(body.fromX, place.x, t),
        y: lerp(body.fromY, place.y, t),
        size: lerp(body.fromSize, place.size, t),
        isMoving: true,
      };
    });
    for (const [task, body] of this.#bodies) {
      if (body.picture === this.#picture) continue;
      // Who just found no room comes back soon; forgetting it would make it fly in from nowhere.
      if (nowMs - (body.recent.at(-1) ?? 0) > 1000) this.#bodies.delete(task);
    }
    return drawn;
  }

  #follow(place: Placed, nowMs: number): Body {
    const old = this.#bodies.get(place.task);
    if (!old) {
      const body = {
        fromX: place.x,
        fromY: place.y,
        fromSize: place.size,
        place,
        startMs: -Infinity,
        recent: [],
        picture: this.#picture,
      };
      this.#bodies.set(place.task, body);
      return body;
    }
    const isSamePlace = old.place.kind === place.kind && old.place.cpu === place.cpu;
    if (!isSamePlace) {
      const t = ease((nowMs - old.startMs) / GLIDE_MS);
      old.fromX = lerp(old.fromX, old.place.x, t);
      old.fromY = lerp(old.fromY, old.place.y, t);
      old.fromSize = lerp(old.fromSize, old.place.size, t);
      old.startMs = nowMs;
      old.recent.push(nowMs);
    }
    while (old.recent.length > 0 && nowMs - (old.recent[0] ?? 0) > 1000) old.recent.shift();
    old.place = place;
    old.picture = this.#picture;
    return old;
  }

  /** Trails and flows at `nowMs`. In a storm of moves there are only flows. */
  moves(nowMs: number): { trails: Trail[]; flows: Flow[] } {
    // The oldest come first.
    const gone = this.#seen.findIndex((s) => nowMs - s.ms < TRAIL_MS);
    this.#seen.splice(0, gone < 0 ? this.#seen.length : gone);
    let recent = 0;
    const pairs = new Map<number, { list: Seen[]; recent: number }>();
    for (const seen of this.#seen) {
      const key = pairOf(seen);
      let pair = pairs.get(key);
      if (!pair) pairs.set(key, (pair = { list: [], recent: 0 }));
      pair.list.push(seen);
      if (nowMs - seen.ms >= 1000) continue;
      pair.recent += 1;
      recent += 1;
    }
    const isStorm = recent > STORM_FROM;
    const trails: Trail[] = [];
    const flows: Flow[] = [];
    for (const pair of pairs.values()) {
      const newest = pair.list.at(-1)?.move;
      if (!newest) continue;
      const { from, to, reason } = newest;
      if (isStorm || pair.recent > FLOW_FROM) {
        if (pair.recent > 0) flows.push({ from, to, reason, newest, perSecond: pair.recent });
      } else {
        for (const s of pair.list)
          trails.push({ ...s.move, strength: 1 - (nowMs - s.ms) / TRAIL_MS });
      }
    }
    return { trails, flows };
  }

  /** Whether anything still moves or fades. */
  isBusy(nowMs: number): boolean {
    if (this.#seen.length > 0) return true;
    for (const body of this.#bodies.values()) if (nowMs - body.startMs < GLIDE_MS) return true;
    return false;
  }
}

function pairOf({ move }: Seen): number {
  return move.from * 65_536 + move.to;
}

/** A gentle arc between two points, for trails and flows. */
export function arc(from: Point, to: Point): { readonly cx: number; readonly cy: number } {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  return { cx: (from.x + to.x) / 2 - dy * 0.18, cy: (from.y + to.y) / 2 + dx * 0.18 };
}
