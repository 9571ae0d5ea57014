import { afterEach, expect, it, vi } from 'vitest';
import { forgetsLetters, hasLetters, loadFonts } from './fonts';
import { painted, unpainted } from './painted';
import type { Surface } from './surface';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('pictures that were drawn with other letters are forgotten and marked when the fonts arrive late', async () => {
  vi.useFakeTimers();
  let arrive: () => void = () => undefined;
  const late = new Promise<void>((resolve) => (arrive = resolve));
  vi.stubGlobal('document', { fonts: { load: () => late } });
  const did: string[] = [];
  forgetsLetters(() => did.push('forgets'));
  const starts = loadFonts(() => did.push('redraws'));
  await vi.runAllTimersAsync();
  // The page waits no longer.
  await starts;
  const canvas = {
    width: 20,
    height: 10,
    dataset: { view: 'Queue' },
  } as unknown as HTMLCanvasElement;
  const part = { querySelectorAll: () => [canvas] } as unknown as Element;
  expect(unpainted(part)).toEqual(['Queue unpainted']);
  let lack = '';
  const paint = () => {
    painted({ canvas } as Surface, () => lack);
  };
  paint();
  expect(hasLetters()).toBe(false);
  expect(unpainted(part)).toEqual(['Queue other-letters']);
  arrive();
  await vi.waitFor(() => {
    expect(did).toEqual(['forgets', 'redraws']);
  });
  paint();
  expect(unpainted(part)).toEqual([]);
  lack = 'older-moment';
  expect(unpainted(part)).toEqual(['Queue older-moment']);
  [lack, canvas.height] = ['', 40];
  expect(unpainted(part)).toEqual(['Queue 20-10-in-place-of-20-40']);
});
