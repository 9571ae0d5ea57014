/** The queue of one CPU (or the global one) in large, for the card of the inspector. */
import type { QueueRow } from '../../../sim/frame';
import type { WatchedQueue } from '../../../sim/protocol';
import type { PlacedParts, Overflow, Placed } from '../placed';
import { type Axis, axisIn } from './axis';
import { handsOf, type QueueInput } from './input';
import { type Ladder, ladderIn } from './ladder';
import { type Ring, ringIn } from './ring';
import { type DrawnTree, treesIn } from './tree';
import { type DrawnLine, linesOfTime } from './virtual-time';

/** Everything that is drawn of it. */
export interface Large {
  readonly height: number;
  readonly placed: readonly Placed[];
  readonly overflow: readonly Overflow[];
  readonly axis: Axis | null;
  readonly ladders: readonly Ladder[];
  readonly ring: Ring | null;
  /** Middle of the line of words above the ring. */
  readonly ringTop: number;
  readonly trees: readonly DrawnTree[];
  readonly lines: readonly DrawnLine[];
}

const LADDER = 96;
/** Height of an empty ladder: only its bitmap. */
const EMPTY_LADDER = 56;
const GLOBAL = 190;
/** Margin around a ring for its hands and numbers. */
const MARGIN = 32;
/** Line of words above a ring. */
const WORDS = 20;
const MOST_RING = 330;

/** Places everything for a width; the height follows. */
export function largeOf(
  width: number,
  cpu: number,
  input: QueueInput,
  watched: WatchedQueue | null,
): Large {
  const out: PlacedParts = { placed: [], overflow: [] };
  const { global, perCpu } = input.shape;
  const rows = input.frame.queue();
  const mine = rows.filter((row) => row.queue === cpu);
  let top = 0;
  let axis: Axis | null = null;
  let ring: Ring | null = null;
  let ringTop = 0;
  let trees: readonly DrawnTree[] = [];
  let lines: readonly DrawnLine[] = [];
  const ladders: Ladder[] = [];
  const ladder = (
    part: (typeof perCpu)[number],
    of: readonly QueueRow[],
    at: number,
    h: number,
  ) => {
    const rect = { x: 0, y: top, w: width, h };
    ladders.push(ladderIn(rect, part, of, at, input, out));
    top += h + 8;
  };
  for (const part of global) {
    const rect = { x: 0, y: top, w: width, h: GLOBAL };
    if (part.kind === 'deadlines') {
      axis = axisIn(rect, input, out);
      top += GLOBAL;
    } else
      ladder(
        part,
        rows.filter((row) => row.queue < 0),
        -1,
        GLOBAL,
      );
  }
  perCpu.forEach((part, index) => {
    const inPart = mine.filter((row) => row.part === index);
    if (part.kind === 'ring') {
      const side = Math.min(width - 2 * MARGIN, MOST_RING);
      ringTop = top + WORDS / 2;
      top += WORDS;
      const box = { x: (width - side) / 2, y: top + MARGIN, w: side, h: side };
      const hands = {
        cpu,
        slots: part.places,
        ...handsOf(input, cpu),
      };
      ring = ringIn(box, 28, inPart, hands, input, out);
      if (ring.lost > 0) out.overflow.push({ x: ring.x + 14, y: ring.y + 14, count: ring.lost });
      top += side + 2 * MARGIN;
    } else if (part.kind === 'tree') {
      if (watched?.cpu !== cpu) return;
      const drawn = treesIn(watched.detail, width, cpu, out);
      trees = drawn.trees;
      top += drawn.height;
    } else if (part.kind === 'virtualTime') {
      if (watched?.cpu !== cpu) return;
      const drawn = linesOfTime(watched.detail, width, cpu, out);
      lines = drawn.lines;
      top += drawn.height;
    } else if (inPart.length > 0) ladder(part, inPart, cpu, LADDER);
    else if (global.length === 0 && part.kind === 'levels') ladder(part, inPart, cpu, EMPTY_LADDER);
  });
  return { height: Math.max(60, top), ...out, axis, ladders, ring, ringTop, trees, lines };
}

/** The thread at a point. */
export function taskAt(large: Large, x: number, y: number): number | null {
  let best: number | null = null;
  let nearest = Infinity;
  for (const t of large.placed) {
    const distance = Math.max(Math.abs(t.x - x), Math.abs(t.y - y));
    if (distance <= Math.max(24, t.size) / 2 && distance < nearest) {
      best = t.task;
      nearest = distance;
    }
  }
  return best;
}
