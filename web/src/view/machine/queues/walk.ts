/** The thread that a key leads to, in a picture of a queue. */
import type { Placed } from '../placed';

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The next thread; null if the key has no meaning here or there is no thread. */
export function nextPlaced(
  placed: readonly Placed[],
  from: number | null,
  key: string,
): number | null {
  if (placed.length === 0) return null;
  if (key === 'Home') return placed[0]?.task ?? null;
  if (key === 'End') return placed.at(-1)?.task ?? null;
  const direction = DIRECTIONS[key];
  if (!direction) return null;
  const here = placed.find((p) => p.task === from);
  if (!here) return placed[0]?.task ?? null;
  const [dx, dy] = direction;
  let best = here.task;
  let cost = Infinity;
  for (const p of placed) {
    const along = (p.x - here.x) * dx + (p.y - here.y) * dy;
    const across = Math.abs((p.x - here.x) * dy) + Math.abs((p.y - here.y) * dx);
    if (p.task === here.task || along < 2 || along + 2 * across >= cost) continue;
    cost = along + 2 * across;
    best = p.task;
  }
  return best;
}
