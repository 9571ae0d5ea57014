/**
 * A calendar ring: slots around a circle, with threads inside at their slots. Slots have fixed places; the hands
 * turn.
 */
import type { Rect } from '../../../lib/geom';
import type { QueueRow } from '../../../sim/frame';
import { BACKGROUND_SCALE, type PlacedParts } from '../placed';
import type { QueueInput } from './input';

/** A ring at a moment. */
export interface Ring {
  readonly cpu: number;
  readonly x: number;
  readonly y: number;
  /** Radius of the circle of slots. */
  readonly r: number;
  readonly slots: number;
  /** Threads in each slot. */
  readonly counts: Uint16Array;
  /** Slot under the insert hand and under the remove hand. */
  readonly insert: number;
  readonly remove: number;
  /** Threads that did not fit inside. */
  readonly lost: number;
}

/** Angle of the middle of a slot: slot 0 is at the top, then clockwise. */
export function angleOf(slot: number, slots: number): number {
  return ((slot + 0.5) / slots) * 2 * Math.PI - Math.PI / 2;
}

/** Part of the radius that stays free for the hands. */
const HUB = 0.24;
/** With more threads than this they are only counted: they would not be distinguishable. */
const MOST = 120;

/** Size of a token with which `n` of them fit inside. */
function sizeFor(n: number, r: number, most: number): number {
  const area = Math.PI * r * r * (1 - HUB * HUB) * 0.5;
  return Math.max(4.5, Math.min(most, r * 0.42, Math.sqrt(area / Math.max(1, n))));
}

/** Number of slots within which a thread of a large ring should stand. */
const NEAR = 5;
/** Part of a ring's depth that tokens fill. They stand in rows that get shorter inwards. */
const FILLED = 0.6;
/** A ring of at least this size is large: threads stand near their slots there, even if that makes them small. */
const LARGE = 150;

/** The largest size with which the fullest part of the circle has room for its threads. */
function nearFor(counts: Uint16Array, rim: number, r: number, most: number): number {
  let fullest = 0;
  counts.forEach((_, slot) => {
    let n = 0;
    for (let i = 0; i < NEAR; i++) n += counts[(slot + i) % counts.length] ?? 0;
    fullest = Math.max(fullest, n);
  });
  const arc = ((2 * Math.PI * rim) / counts.length) * NEAR;
  for (let size = most; size > 6; size -= 1) {
    const levels = Math.floor((rim - HUB * r) / (size + 0.5)) + 1;
    if (Math.max(1, Math.floor(arc / size)) * levels * FILLED >= fullest) return size;
  }
  return 6;
}

/** Places the threads of a calendar inside its circle, the next to be served first. */
export function ringIn(
  box: Rect,
  most: number,
  rows: readonly QueueRow[],
  of: Pick<Ring, 'cpu' | 'slots' | 'insert' | 'remove'>,
  input: QueueInput,
  out: PlacedParts,
): Ring {
  // The heads of the hands need room outside of the circle.
  const r = Math.min(box.w, box.h) / 2 - (box.w > LARGE ? 2 : 6);
  const [x, y] = [box.x + box.w / 2, box.y + box.h / 2];
  const counts = new Uint16Array(of.slots);
  for (const row of rows) counts[row.place] = (counts[row.place] ?? 0) + 1;
  const roomy = sizeFor(Math.min(MOST, rows.length), r, most);
  const size = box.w > LARGE ? nearFor(counts, r * 0.9, r, roomy) : roomy;
  const rim = r - size / 2 - Math.max(3, r * 0.07);
  const levels = Math.max(1, Math.floor((rim - HUB * r) / (size + 0.5)) + 1);
  const taken: { x: number; y: number }[] = [];
  const isFree = (px: number, py: number) =>
    taken.every((t) => Math.hypot(t.x - px, t.y - py) >= size * 1.02);
  let lost = 0;
  rows.forEach((row, i) => {
    const own = input.isBackground(row.task) ? size * BACKGROUND_SCALE : size;
    const spot = i < MOST ? find(angleOf(row.place, of.slots)) : null;
    if (!spot) {
      lost += 1;
      return;
    }
    taken.push(spot);
    const a = angleOf(row.place, of.slots);
    const stem = { x: x + Math.cos(a) * r, y: y + Math.sin(a) * r };
    out.placed.push({ task: row.task, kind: 'queue', cpu: of.cpu, ...spot, size: own, stem });
  });
  return { ...of, x, y, r, counts, lost };

  /** At its slot from the rim inwards, else a little further round. */
  function find(angle: number): { x: number; y: number } | null {
    const step = size / Math.max(size, rim) / 2;
    for (let turn = 0; turn < 2 * Math.PI; turn += step) {
      for (const side of turn === 0 ? [0] : [turn, -turn]) {
        for (let level = 0; level < levels; level++) {
          const at = rim - level * (size + 0.5);
          const px = x + Math.cos(angle + side) * at;
          const py = y + Math.sin(angle + side) * at;
          if (isFree(px, py)) return { x: px, y: py };
        }
      }
      if (turn > Math.PI) break;
    }
    return null;
  }
}
