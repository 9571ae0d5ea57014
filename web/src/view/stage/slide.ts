/**
 * When a page has the form of a slide (embedded, or presented on any but a wide screen): names in the answer, low and
 * wide machines, upright bars.
 */
import type { Look } from '../../state/look.svelte';
import type { Prefs } from '../../state/prefs.svelte';

/** Heights with room for machine and upright bars, but not for timelines. */
const LEAST = 400;
const MOST = 560;
/** More lanes need a wide page: in two rows of machines, none would have room. */
const LANES = 2;
const WIDE = 1100;
/** Embedded pages that are narrower or lower show one lane. */
const ONE_LANE = { width: 640, height: 360 };

interface Page {
  readonly look: Look;
  readonly prefs: Prefs;
  readonly run: { readonly lanes: readonly unknown[] };
}

/** Whether an embedded page has room for only one lane; the numbers of the answer switch between lanes. */
export function hasOneLane({ look, prefs, run }: Page): boolean {
  if (!look.isEmbedded) return false;
  const isSmall = prefs.width < ONE_LANE.width || prefs.height < ONE_LANE.height;
  return isSmall || (run.lanes.length > LANES && prefs.width <= WIDE);
}

/** Whether the page is a slide. */
export function isSlide(page: Page): boolean {
  const { look, prefs, run } = page;
  if (!look.isEmbedded) return prefs.showsOneLane;
  if (prefs.width < ONE_LANE.width) return false;
  if (prefs.height < LEAST || prefs.height > MOST) return false;
  return look.lane !== null || hasOneLane(page) || run.lanes.length <= LANES;
}

/**
 * Whether shares stand as upright bars below their machine: on a slide, and where a class sees several lanes beside
 * each other. A machine has the whole width of its lane there, so that its threads are large.
 */
export function hasUprightBars(page: Page): boolean {
  const { look, prefs, run } = page;
  const isBeside = prefs.soloLane === null && run.lanes.length > 1;
  return isSlide(page) || (prefs.isPresenting && !look.isEmbedded && isBeside);
}
