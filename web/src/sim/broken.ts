/** Errors after which an instance of the core is in an unknown state and must be thrown away. */
import { messageOf } from '../lib/assert';

/** What broke it. */
export interface Breakage {
  readonly cause: 'panic' | 'memory';
  /** The message, without a capital and a full stop. */
  readonly message: string;
}

/** The meaning of an error of the core; null if it only refused something. */
export function breakageOf(error: unknown, usedBytes: number): Breakage | null {
  const text = messageOf(error);
  const [, place, why] = /^panicked at (\S+?):\d+:\n([^]*)$/.exec(text) ?? [];
  if (place !== undefined && why !== undefined)
    return { cause: 'panic', message: `${why}, at ${place}` };
  // There is no memory for the core or for a copy of its numbers; browsers word this differently.
  if (error instanceof RangeError && /memory|allocat/i.test(text))
    return { cause: 'memory', message: text };
  if (typeof WebAssembly === 'undefined' || !(error instanceof WebAssembly.RuntimeError))
    return null;
  // A panic has a message; the core stops without one only where it gets no more memory.
  return /unreachable/i.test(text)
    ? { cause: 'memory', message: `${String(Math.round(usedBytes / 2 ** 20))} MB are in use` }
    : { cause: 'panic', message: text };
}
