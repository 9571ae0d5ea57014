/** Where a card over the stage may be put: by dragging its head, by arrow keys, and from corner to corner. */

/** A way from where a card stands by itself, in CSS pixels. */
export interface Shift {
  readonly x: number;
  readonly y: number;
}

type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom' | 'width' | 'height'>;

/** A step of an arrow key, in CSS pixels. */
const STEP = 32;

const STEPS: Readonly<Record<string, Shift>> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

const clamp = (value: number, least: number, most: number): number =>
  Math.max(least, Math.min(value, Math.max(least, most)));

/** The head stays within the stage: what is moved away can be moved back. */
export function held(to: Shift, now: Shift, head: Box, around: Box): Shift {
  const [left, top] = [head.left - now.x, head.top - now.y];
  return {
    x: clamp(to.x, around.left - left, around.right - head.width - left),
    y: clamp(to.y, around.top - top, around.bottom - head.height - top),
  };
}

/** Where an arrow key puts it; null for all other keys. */
export function stepped(now: Shift, key: string): Shift | null {
  const by = STEPS[key];
  return by ? { x: now.x + by.x, y: now.y + by.y } : null;
}

/** The corners, from where it stands by itself to the other side and down; a high card has two of them. */
export function corners(now: Shift, card: Box, around: Box): readonly Shift[] {
  const [left, top] = [card.left - now.x, card.top - now.y];
  const isRight = left - around.left > around.right - (left + card.width);
  const gap = isRight ? around.right - (left + card.width) : left - around.left;
  const across = isRight ? around.left + gap - left : around.right - gap - card.width - left;
  const down = around.bottom - (top - around.top) - card.height - top;
  const above: readonly Shift[] = [
    { x: 0, y: 0 },
    { x: across, y: 0 },
  ];
  if (down < STEP) return above;
  return [...above, { x: across, y: down }, { x: 0, y: down }];
}

/** The corner after the one that it stands nearest to. */
export function nextCorner(now: Shift, card: Box, around: Box): Shift {
  const all = corners(now, card, around);
  const far = ({ x, y }: Shift) => Math.hypot(x - now.x, y - now.y);
  const nearest = all.reduce((best, one, i) => (far(one) < far(all[best] ?? one) ? i : best), 0);
  return all[(nearest + 1) % all.length] ?? now;
}
