/** The line above a machine: who shares a core, or how many are busy. What it says of threads is never old. */
import type { LaneState } from '../../state/lane.svelte';
import { countsOf, factsOf, headline } from '../a11y/describe';
import { saySharing, type Shared, sharingOf } from '../machine/sharing';

type View = Pick<LaneState, 'frame' | 'tree' | 'names' | 'isBackground' | 'nameOf'>;

/** See the module comment. */
export interface Heading {
  readonly line: string;
  /** The shared cores that it is about. */
  readonly shared: readonly Shared[];
}

/** The line of a picture. Its sentence may change only a few times a second, so it is made when that is due. */
export function headingAt(lane: View): Heading {
  const facts = factsOf(lane);
  const shared = facts.sharing === null ? [] : sharingOf(lane).shared;
  return { line: headline(facts, lane.frame.nowNs), shared };
}

/**
 * The line between two of these times. While each move is drawn it follows the picture at once, as it seldom changes
 * then. Where more is drawn than can be followed, its counts are those of the picture, and what it says of shared cores
 * ends with the picture in which it is no longer so; until the next line there are only counts.
 */
export function headingSince(lane: View, was: Heading, isEachMove: boolean): Heading {
  if (isEachMove) {
    const now = headingAt(lane);
    return now.line === was.line ? was : now;
  }
  if (was.shared.length > 0) {
    const sharing = sharingOf(lane);
    const said = saySharing(lane, sharing);
    if (said === was.line) return was;
    const isSame =
      said !== null &&
      sharing.shared.length === was.shared.length &&
      sharing.shared.every(({ tasks }, i) => String(tasks) === String(was.shared[i]?.tasks));
    if (isSame) return { line: said, shared: sharing.shared };
  }
  const facts = { ...factsOf(lane), sharing: null };
  // "Nothing runs" in turn with counts could not be read.
  const isOver = facts.running + facts.waiting + facts.sleeping === 0;
  const line = isOver ? headline(facts, lane.frame.nowNs) : countsOf(facts);
  return line === was.line ? was : { line, shared: [] };
}
