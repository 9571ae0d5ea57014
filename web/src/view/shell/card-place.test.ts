import { describe, expect, it } from 'vitest';
import { held, nextCorner, type Shift, stepped } from './card-place';

const box = (left: number, top: number, width: number, height: number) => ({
  left,
  top,
  width,
  height,
  right: left + width,
  bottom: top + height,
});
const AROUND = box(0, 100, 1000, 600);
/** A card that stands at the right, 12 px from the edge and 8 px below the top, moved by a shift. */
const card = ({ x, y }: Shift, height = 300) => box(638 + x, 108 + y, 350, height);

describe('a card over the stage', () => {
  it('goes from corner to corner and comes back', () => {
    const seen: Shift[] = [];
    let now: Shift = { x: 0, y: 0 };
    for (let i = 0; i < 4; i += 1) seen.push((now = nextCorner(now, card(now), AROUND)));
    expect(seen).toEqual([
      { x: -626, y: 0 },
      { x: -626, y: 284 },
      { x: 0, y: 284 },
      { x: 0, y: 0 },
    ]);
  });

  it('changes sides only where it is as high as the stage', () => {
    const first = nextCorner({ x: 0, y: 0 }, card({ x: 0, y: 0 }, 584), AROUND);
    expect(first).toEqual({ x: -626, y: 0 });
    expect(nextCorner(first, card(first, 584), AROUND)).toEqual({ x: 0, y: 0 });
  });

  it('is moved by arrow keys, and its head stays on the stage', () => {
    const now = { x: 0, y: 0 };
    const head = { ...card(now), height: 40, bottom: 148 };
    expect(stepped(now, 'ArrowLeft')).toEqual({ x: -32, y: 0 });
    expect(stepped(now, 'Enter')).toBeNull();
    expect(held({ x: 32, y: -32 }, now, head, AROUND)).toEqual({ x: 12, y: -8 });
    expect(held({ x: -900, y: 900 }, now, head, AROUND)).toEqual({ x: -638, y: 552 });
  });
});
