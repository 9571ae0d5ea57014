/**
 * The places of the page, each with an address of its own:
 *
 *     nothing, #start     Start: what there is
 *     #r=…                the pages about published experiments, see route.ts
 *     #l1.5               a lesson, which stands beside the laboratory, see lesson-place.ts
 *     anything else       the laboratory, see link.ts
 */
import { readRoute, type Route, writeRoute } from './route';

/** A place that is not the laboratory. */
export type Place =
  { readonly kind: 'start' } | { readonly kind: 'replications'; readonly route: Route };

const START = 'start';

/** Reads a fragment; null if it is a link to the laboratory. */
export function readPlace(fragment: string): Place | null {
  const text = fragment.replace(/^#/, '');
  if (text === '' || text === START) return { kind: 'start' };
  const route = readRoute(text);
  return route && { kind: 'replications', route };
}

/** Writes a fragment, without `#`. */
export function writePlace(place: Place): string {
  return place.kind === 'start' ? START : writeRoute(place.route);
}
