/** Makes a film: picture by picture, each drawn for its own simulated time. */
import type { Theme } from '../../lib/color';
import { type FilmPlan, frameCount, frameNs } from '../../state/film/plan';
import { type FilmedPage, Reel } from '../../state/film/reel.svelte';
import type { FilmFormat } from './choices';
import { codecFor } from './codecs';
import type { Encoder } from './encode/film-file';
import { GifFilm } from './encode/gif';
import { VideoFilm } from './encode/video';
import { paintSheet } from './sheet';
import { type SayWhere, StagePainter } from './stage-painter';

/** The film to make. */
export interface FilmWish {
  readonly plan: FilmPlan;
  readonly format: FilmFormat;
  /** Pixels, even numbers. */
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  readonly say: SayWhere;
}

/** Reports the progress. */
export interface Watching {
  /** Pictures made so far, and pictures in all. Not called before the first one is made. */
  progress(made: number, of: number): void;
  readonly signal: AbortSignal;
}

/** Drawn ms before the first picture: as long as the longest flight or the fading of a trail. */
const BEFORE_MS = 600;

async function encoderOf({ format, width, height, plan }: FilmWish): Promise<Encoder> {
  if (format === 'gif') return new GifFilm(plan.fps);
  const size = { width, height, fps: plan.fps };
  const codec = await codecFor(format, size);
  if (codec === null) throw new Error('this browser cannot make such a film');
  return new VideoFilm(format, codec, size);
}

/** Makes the file. Rejects with an `AbortError` when it is given up, else with the failure. */
export async function makeFilm(
  page: FilmedPage,
  wish: FilmWish,
  watching: Watching,
): Promise<Blob> {
  const { plan, width, height } = wish;
  const { signal } = watching;
  const reel = new Reel(page, plan.speed);
  let encoder: Encoder | null = null;
  const end = (): void => {
    reel.close();
  };
  signal.addEventListener('abort', end);
  try {
    encoder = await encoderOf(wish);
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width, height];
    const ctx = canvas.getContext('2d', { willReadFrequently: wish.format === 'gif' });
    if (!ctx) throw new Error('the browser gives no canvas');
    const readyNs = await reel.open(plan.fromNs);
    const painter = new StagePainter(reel, { width, height }, wish.theme, wish.say);
    const draw = async (frame: number): Promise<void> => {
      signal.throwIfAborted();
      const sheet = await painter.paint((frame * 1000) / plan.fps);
      paintSheet(ctx, sheet, painter.places.ratio);
    };
    // A thread that is in flight in the first picture has started before it.
    const before = Math.ceil((BEFORE_MS * plan.fps) / 1000);
    for (let frame = -before; frame < 0; frame++) {
      const ns = frameNs(plan, frame);
      if (ns < readyNs) continue;
      await reel.to(ns);
      await draw(frame);
    }
    const count = frameCount(plan);
    for (let frame = 0; frame < count; frame++) {
      await reel.to(frameNs(plan, frame));
      await draw(frame);
      await encoder.add(canvas);
      watching.progress(frame + 1, count);
    }
    return await encoder.finish();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
    encoder?.close();
    end();
  }
}
