/**
 * The pages about published experiments, in a link of their own:
 *
 *     #r=s0-v890&seeds=5&if=no-balancer
 *                                  the page of an experiment, seeds, the change; older links have its number, from 1
 *     #r=                          the gallery
 *     #r=claims                    all claims
 *     #r=numbers                   all published numbers
 *     #r=sweep&over=count.0&from=1&to=8&n=8&y=throughput&on=…
 *                                  a sweep of one's own; `on` is the link of its scenario
 */

/** The content of such a link. */
export interface Route {
  /** Page; empty for the gallery. */
  readonly page: string;
  readonly seeds: number;
  /** Id of the change, or its number, from 1; empty for none. */
  readonly whatIf: string;
  /** A sweep of one's own. */
  readonly sweep: SweepRoute;
}

/** The varied property and the measure; their ids come from the page, which chooses where they are empty. */
export interface SweepRoute {
  readonly over: string;
  readonly from: number | null;
  readonly to: number | null;
  /** How many values. */
  readonly n: number;
  readonly y: string;
  /** Fragment of the scenario; empty for the one on the stage. */
  readonly on: string;
}

const DEFAULT_VALUES = 8;
const MAX_VALUES = 50;

/** Seeds that a page uses unless told otherwise: as many as its claims need. */
export const DEFAULT_SEEDS = 5;
const MAX_SEEDS = 20;

function whole(text: string | null, max: number, or: number): number {
  return text !== null && /^\d{1,3}$/.test(text) ? Math.min(max, Number(text)) : or;
}

function number(text: string | null): number | null {
  return text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}

function readSweep(given: URLSearchParams): SweepRoute {
  return {
    over: given.get('over') ?? '',
    from: number(given.get('from')),
    to: number(given.get('to')),
    n: Math.max(2, whole(given.get('n'), MAX_VALUES, DEFAULT_VALUES)),
    y: given.get('y') ?? '',
    on: given.get('on') ?? '',
  };
}

/** Reads a fragment; null if it is a link to the stage. */
export function readRoute(fragment: string): Route | null {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  const page = given.get('r');
  if (page === null) return null;
  const seeds = Math.max(1, whole(given.get('seeds'), MAX_SEEDS, DEFAULT_SEEDS));
  const change = given.get('if') ?? '';
  const whatIf = /^[a-z0-9][\w.-]{0,59}$/i.test(change) && change !== '0' ? change : '';
  return { page, seeds, whatIf, sweep: readSweep(given) };
}

/** Writes a fragment, without `#`. */
export function writeRoute({ page, seeds, whatIf, sweep }: Route): string {
  const parts = [`r=${encodeURIComponent(page)}`];
  if (seeds !== DEFAULT_SEEDS) parts.push(`seeds=${String(seeds)}`);
  if (whatIf !== '') parts.push(`if=${encodeURIComponent(whatIf)}`);
  const { n, ...rest } = sweep;
  const said = { ...rest, n: n === DEFAULT_VALUES ? null : n };
  for (const [key, value] of Object.entries(said)) {
    if (value !== null && value !== '') parts.push(`${key}=${encodeURIComponent(value)}`);
  }
  return parts.join('&');
}
