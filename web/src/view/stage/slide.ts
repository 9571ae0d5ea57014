/**
 * How an embedded page, or a presentation on a narrow projector, has the form of a slide: names in the answer, machines low
 * and wide, shares standing below.
 */
import type { Look } from '../../state/look.svelte';
import type { Prefs } from '../../state/prefs.svelte';

/** Heights that have room for machine and standing shares, and none for timelines. */
const LEAST = 400;
const MOST = 560;
/** More lanes need a wide page: two rows of machines leave none of them room. */
const LANES = 2;
const WIDE = 1100;
/** Narrower or lower pages of others show one lane. */
const ONE_LANE = { width: 640, height: 360 };

interface Page {
  readonly look: Look;
  readonly prefs: Prefs;
  readonly run: { readonly lanes: readonly unknown[] };
}

/** Whether an embedded page has room for one lane only; the numbers of the answer switch between lanes. */
export function hasOneLane({ look, prefs, run }: Page): boolean {
  if (!look.isEmbedded) return false;
  const isSmall = prefs.width < ONE_LANE.width || prefs.height < ONE_LANE.height;
  return isSmall || (run.lanes.length > LANES && prefs.width <= WIDE);
}

/** Whether the page is a slide. */
export function isSlide(page: Page): boolean {
  const { look, prefs, run } = page;
  if (!look.isEmbedded) return prefs.isPresenting && prefs.isTight;
  if (prefs.width < ONE_LANE.width) return false;
  if (prefs.height < LEAST || prefs.height > MOST) return false;
  return look.lane !== null || hasOneLane(page) || run.lanes.length <= LANES;
}
