import { duration } from '../../lib/format';

/** The goal of a journey: a time, or (null) what is being searched for. */
export function sayJourney(toNs: number | null): string {
  return toNs === null ? 'Looking for the next…' : `Running to ${duration(toNs)}`;
}
