import { describe, expect, it } from 'vitest';
import { changedPixels } from './gif';
import { paletteOf } from './palette';

/** Pixels of colours, each as often as given. */
const pixelsOf = (...runs: readonly (readonly [colour: number, count: number])[]): Uint32Array =>
  Uint32Array.from(runs.flatMap(([colour, count]) => Array<number>(count).fill(colour)));

const OPAQUE = 0xff000000;
const rgb = (colour: number): number[] => [colour & 0xff, (colour >> 8) & 0xff, colour >> 16];

describe('a palette', () => {
  it('keeps few colours as they are', () => {
    const { colours, entryOf } = paletteOf(pixelsOf([0x0000ff, 3], [0x123456, 9], [0, 1]), 255);
    expect(colours).toEqual([rgb(0x123456), rgb(0x0000ff), rgb(0)]);
    expect(entryOf.get(0x123456)).toBe(0);
    expect(entryOf.size).toBe(3);
  });

  it('of many keeps the most frequent colours, and gives the others the nearest one', () => {
    const few: [number, number][] = Array.from({ length: 6 }, (_, i) => [i * 0x30, 1000]);
    // Edges of letters: one pixel each of a thousand shades of blue.
    const many: [number, number][] = Array.from({ length: 1000 }, (_, i) => [0x800000 + i * 17, 1]);
    const { colours, entryOf } = paletteOf(pixelsOf(...many, ...few), 16);
    expect(colours).toHaveLength(16);
    for (const [colour] of few) expect(colours[entryOf.get(colour) ?? -1]).toEqual(rgb(colour));
    for (const [colour] of many) {
      const entry = colours[entryOf.get(colour) ?? -1] ?? [];
      const far = Math.hypot(...rgb(colour).map((part, i) => part - (entry[i] ?? 999)));
      expect(far).toBeLessThan(80);
    }
  });

  it('is made from the wanted pixels only', () => {
    const { colours } = paletteOf(pixelsOf([1, 4], [2, 4]), 255, (at) => at >= 4);
    expect(colours).toEqual([[2, 0, 0]]);
  });
});

describe('a picture of a GIF', () => {
  it('has only the pixels that differ from the one before', () => {
    const before = Uint32Array.of(OPAQUE, OPAQUE + 7, OPAQUE + 7);
    const now = Uint32Array.of(OPAQUE, OPAQUE + 9, OPAQUE + 7);
    const first = changedPixels(before, null);
    expect([...first.index]).toEqual([1, 0, 0]);
    const { index, palette } = changedPixels(now, before);
    expect([...index]).toEqual([255, 0, 255]);
    expect(palette[0]).toEqual([9, 0, 0]);
    expect(palette).toHaveLength(256);
  });
});
