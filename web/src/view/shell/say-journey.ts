import { duration } from '../../lib/format';

/** What the lanes are under way to: a time, or (null) what is being looked for. */
export function sayJourney(toNs: number | null): string {
  return toNs === null ? 'Looking for the next…' : `Running to ${duration(toNs)}`;
}
