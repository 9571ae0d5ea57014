/** The way of the line from a presented answer up to its thread: it passes beside the threads that wait in between. */
import type { Rect } from '../../lib/geom';

export type Point = readonly [number, number];

/** Room between the line and a thread, in CSS pixels. */
const ROOM = 6;

/** From the upper edge of the answer to the lower edge of the thread. */
export function wayUp(answerTop: number, thread: Rect, others: readonly Rect[]): readonly Point[] {
  const [x, bottom] = [thread.x + thread.w / 2, thread.y + thread.h];
  const between = others.filter((r) => r.y + r.h > bottom && r.y < answerTop && r.y >= thread.y);
  const isFree = (at: number) =>
    at >= ROOM && between.every((r) => at <= r.x - ROOM / 2 || at >= r.x + r.w + ROOM / 2);
  const beside = between.flatMap((r) => [r.x - ROOM, r.x + r.w + ROOM]).filter(isFree);
  const [next = x] = beside.sort((a, b) => Math.abs(a - x) - Math.abs(b - x));
  const at = isFree(x) ? x : next;
  // Under the thread, the line goes straight up.
  if (Math.abs(at - x) < thread.w / 2)
    return [
      [at, answerTop],
      [at, bottom],
    ];
  const turn = (bottom + Math.min(...between.map((r) => r.y))) / 2;
  return [
    [at, answerTop],
    [at, turn],
    [x, turn],
    [x, bottom],
  ];
}
