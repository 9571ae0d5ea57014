/** Motion between two true states: positions glide, states switch at once. No other code may use positions in between. */
import { ease, lerp, type Point } from '../../lib/geom';
import type { Move } from '../../sim/history';
import type { Placed } from './placed';

/** Duration of a flight on the screen: the shortest, and the longest for one across the whole machine. */
export const FLIGHT_MS = { least: 350, most: 600 } as const;
/** Distance in pixels of a flight that takes longest. */
const LONG_WAY = 500;
/** How long a trail stays. */
export const TRAIL_MS = 600;
/** Lines and arrows of a lane in a picture. */
export const MOST_LINES = 8;
/** Changes of place per drawn second from which on a thread is cut instead of moved. */
const CUT_FROM = 4;

/** A thread as drawn now. */
export interface Drawn extends Placed {
  /** Whether it is in motion; else it stands in its place. */
  readonly isMoving?: boolean;
}

/** The trail of one move, fading. */
export interface Trail extends Move {
  /** 1 fresh, 0 gone. */
  readonly strength: number;
}

interface Body {
  fromX: number;
  fromY: number;
  fromSize: number;
  place: Placed;
  startMs: number;
  recent: number[];
  /** Number of the last picture that contained it. */
  picture: number;
}

/** Moving things of one lane. */
export class Motion {
  readonly #bodies = new Map<number, Body>();
  #seen: { readonly move: Move; readonly ms: number }[] = [];
  #lastSeq = -1;
  #picture = 0;

  /** Forgets everything: after a jump in time nothing has moved. */
  reset(lastSeq: number): void {
    this.#bodies.clear();
    this.#seen = [];
    this.#lastSeq = lastSeq;
  }

  /** Takes new moves of the trace; moves of threads without trails are skipped. */
  notice(moves: readonly Move[], nowMs: number, hasTrail: (task: number) => boolean): void {
    const fresh: Move[] = [];
    for (let i = moves.length - 1; i >= 0 && fresh.length < MOST_LINES; i--) {
      const move = moves[i];
      if (!move || move.seq <= this.#lastSeq) break;
      if (move.from >= 0 && move.from !== move.to && hasTrail(move.task)) fresh.push(move);
    }
    this.#lastSeq = Math.max(this.#lastSeq, moves.at(-1)?.seq ?? -1);
    for (const move of fresh.reverse()) this.#seen.push({ move, ms: nowMs });
    this.#seen.splice(0, Math.max(0, this.#seen.length - MOST_LINES));
  }

  /** The places of all threads at `nowMs`. `isCut` draws without motion. */
  at(placed: readonly Placed[], nowMs: number, isCut: boolean): Drawn[] {
    this.#picture += 1;
    const drawn = placed.map((place): Drawn => {
      const body = this.#follow(place, nowMs);
      const hurried = isCut || body.recent.length >= CUT_FROM;
      const progress = (nowMs - body.startMs) / flightOf(body);
      // What was drawn in its place has arrived: a flight later on would empty that place once more.
      if (hurried) body.startMs = -Infinity;
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
      // A thread that just found no room comes back soon; a forgotten one would fly in from nowhere.
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
      const t = ease((nowMs - old.startMs) / flightOf(old));
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

  /** Trails at `nowMs`, the oldest first. */
  trails(nowMs: number): Trail[] {
    const gone = this.#seen.findIndex((s) => nowMs - s.ms < TRAIL_MS);
    this.#seen.splice(0, gone < 0 ? this.#seen.length : gone);
    return this.#seen.map((s) => ({ ...s.move, strength: 1 - (nowMs - s.ms) / TRAIL_MS }));
  }

  /** Whether anything still moves or fades. */
  isBusy(nowMs: number): boolean {
    if (this.#seen.length > 0) return true;
    for (const body of this.#bodies.values())
      if (nowMs - body.startMs < FLIGHT_MS.most) return true;
    return false;
  }
}

/** Duration of a body's flight to its place. */
function flightOf({ fromX, fromY, place }: Body): number {
  const way = Math.hypot(place.x - fromX, place.y - fromY);
  return lerp(FLIGHT_MS.least, FLIGHT_MS.most, Math.min(1, way / LONG_WAY));
}

/** A gentle arc between two points, for trails. */
export function arc(from: Point, to: Point): { readonly cx: number; readonly cy: number } {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  return { cx: (from.x + to.x) / 2 - dy * 0.18, cy: (from.y + to.y) / 2 + dx * 0.18 };
}
