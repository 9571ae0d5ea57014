/**
 * What a film shows: a span of a run at a speed, with a number of pictures per second. Each picture has its own
 * simulated time. So no picture is dropped or late, however long drawing takes.
 */
import { duration, speed as speedText } from '../../lib/format';
import { MAX_SPEED, MIN_SPEED } from '../playback.svelte';

/** See the module comment. */
export interface FilmPlan {
  /** Simulated time of the first picture, in ns. */
  readonly fromNs: number;
  /** Simulated time that the film goes through, in ns. */
  readonly spanNs: number;
  /** Simulated ns that pass in a second of the film. */
  readonly speed: number;
  /** Pictures in a second of the film. */
  readonly fps: number;
}

/** Most pictures, as all are kept in memory: two minutes at 30 a second. */
export const MOST_FRAMES = 3_600;

const US_PER_S = 1_000_000;

/** How many pictures a film has: its length in whole pictures, at least one. */
export function frameCount({ spanNs, speed, fps }: FilmPlan): number {
  return Math.max(1, Math.round((spanNs * fps) / speed));
}

/** Simulated time of a picture, counted from 0, in whole ns. */
export function frameNs({ fromNs, speed, fps }: FilmPlan, frame: number): number {
  return fromNs + Math.floor((frame * speed) / fps);
}

/** When a picture appears in the film, counted from 0, in whole µs. */
export function frameUs({ fps }: Pick<FilmPlan, 'fps'>, frame: number): number {
  return Math.round((frame * US_PER_S) / fps);
}

/** How long the film is, in seconds. */
export function filmSeconds(plan: FilmPlan): number {
  return frameCount(plan) / plan.fps;
}

/** The problem with a plan for a run that ends at `endNs`, with the allowed range; null if there is none. */
export function problemOf(plan: FilmPlan, endNs: number): string | null {
  const { fromNs, spanNs, speed } = plan;
  const isWithin = (value: number, least: number, most: number) => value >= least && value <= most;
  if (!isWithin(fromNs, 0, endNs)) return `From: 0 to ${duration(endNs)}, the end of the run.`;
  if (!isWithin(speed, MIN_SPEED, MAX_SPEED))
    return `Speed: ${speedText(MIN_SPEED)} to ${speedText(MAX_SPEED)}.`;
  if (spanNs <= 0 || !isWithin(fromNs + spanNs, 0, endNs))
    return `To: after the begin, up to ${duration(endNs)}, the end of the run.`;
  const frames = frameCount(plan);
  if (frames > MOST_FRAMES)
    return `${String(frames)} pictures are too many: up to ${String(MOST_FRAMES)}. Record a shorter span, or a higher speed.`;
  return null;
}
