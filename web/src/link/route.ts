/**
 * The pages about published experiments, in a link of their own:
 *
 *     #r=s0-v890&seeds=5&if=2      the page of an experiment, seeds, number of the change (from 1)
 *     #r=                          the gallery
 *     #r=claims                    all claims
 */

/** What such a link says. */
export interface Route {
  /** Page; empty for the gallery. */
  readonly page: string;
  readonly seeds: number;
  /** Number of the change, from 1; 0 for none. */
  readonly whatIf: number;
}

/** Seeds that a page asks for by itself: as many as the acceptance demands. */
export const DEFAULT_SEEDS = 5;
const MAX_SEEDS = 20;
const MAX_CHANGES = 99;

function whole(text: string | null, max: number, or: number): number {
  return text !== null && /^\d{1,3}$/.test(text) ? Math.min(max, Number(text)) : or;
}

/** Reads a fragment; null if it is a link to the stage. */
export function readRoute(fragment: string): Route | null {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  const page = given.get('r');
  if (page === null) return null;
  const seeds = Math.max(1, whole(given.get('seeds'), MAX_SEEDS, DEFAULT_SEEDS));
  return { page, seeds, whatIf: whole(given.get('if'), MAX_CHANGES, 0) };
}

/** Writes a fragment, without `#`. */
export function writeRoute({ page, seeds, whatIf }: Route): string {
  const parts = [`r=${encodeURIComponent(page)}`];
  if (seeds !== DEFAULT_SEEDS) parts.push(`seeds=${String(seeds)}`);
  if (whatIf > 0) parts.push(`if=${String(whatIf)}`);
  return parts.join('&');
}
