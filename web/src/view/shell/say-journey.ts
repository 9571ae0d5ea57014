import { duration } from '../../lib/format';

/** What the lanes are under way to: a time, or (null) what is being looked for. */
export function sayJourney(toNs: number | null): string {
  return toNs === null ? 'Running on to find it' : `Running to ${duration(toNs)}`;
}
