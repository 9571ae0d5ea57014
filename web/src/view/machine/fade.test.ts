/** A caption that ends fades, and is gone soon. */
import { describe, expect, it } from 'vitest';
import { Fade, FADE_MS } from './fade';

const LOUD = { main: ['job-9 waits for cpu 0'], isLoud: true };
const OTHER = { main: ['cpu 1 steals job-9 from cpu 0'], isLoud: true };
const QUIET = { main: ['0 moves of jobs'], isLoud: false };
const SILENT = { main: [], isLoud: false };

describe('a caption', () => {
  it.each([
    ['nothing', SILENT],
    ['quiet words', QUIET],
  ])('fades where %s follow it, within 300 ms', (_, next) => {
    const fade = new Fade();
    expect(fade.at(LOUD, 66, 0, false)).toBeNull();
    expect(fade.at(LOUD, 66, 5000, false)).toBeNull();
    const seen = [5016, 5116, 5216, 5316].map((ms) => fade.at(next, 0, ms, false));
    expect(seen[0]).toEqual({ words: LOUD.main, chip: 66, strength: 1 });
    expect(seen[1]?.strength).toBeCloseTo(2 / 3);
    expect(seen[2]?.strength).toBeCloseTo(1 / 3);
    expect(seen[3]).toBeNull();
    expect(fade.at(next, 0, 5317, false)).toBeNull();
    expect(FADE_MS).toBeLessThanOrEqual(300);
  });

  it('makes room for the next one at once', () => {
    const fade = new Fade();
    fade.at(LOUD, 0, 0, false);
    expect(fade.at(SILENT, 0, 100, false)?.words).toBe(LOUD.main);
    expect(fade.at(OTHER, 0, 150, false)).toBeNull();
    expect(fade.at(SILENT, 0, 200, false)?.words).toBe(OTHER.main);
  });

  it('is gone at once without motion, and after a jump in time', () => {
    const fade = new Fade();
    fade.at(LOUD, 0, 0, true);
    expect(fade.at(SILENT, 0, 16, true)).toBeNull();
    expect(fade.at(SILENT, 0, 32, false)).toBeNull();
    fade.at(LOUD, 0, 48, false);
    fade.reset();
    expect(fade.at(SILENT, 0, 64, false)).toBeNull();
  });
});
