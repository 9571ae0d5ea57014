/** Marks of edits on the line of the whole run. Edits that are too close to distinguish share one. */
import { sayEdit, worthTelling } from '../../files/say-edit';
import { clock, count } from '../../lib/format';
import { clamp } from '../../lib/units';
import type { Scenario } from '../../sim/types/Scenario';

/** Number of distinguishable places on the line. */
export const PLACES = 250;

/** Most edits of one mark that are described in words. */
const MOST_TOLD = 4;

type TimedEdit = Scenario['edits'][number];

/** A place with edits. */
export interface Mark {
  /** Its place on the line, from 0 to 1. */
  readonly part: number;
  /** The edits there, in words. */
  readonly title: string;
}

/** The marks of edits in a run that ends at `end` ns, in the order of time. */
export function marksOf(edits: readonly TimedEdit[], end: number): readonly Mark[] {
  const places = new Map<number, TimedEdit[]>();
  for (const edit of edits) {
    const place = Math.round(clamp(edit.atNs / end, 0, 1) * PLACES);
    const there = places.get(place);
    if (there) there.push(edit);
    else places.set(place, [edit]);
  }
  return [...places.values()]
    .flatMap((all) => {
      const there = worthTelling(all);
      const [first] = there;
      const last = there.at(-1);
      if (!first || !last) return [];
      const part = clamp(first.atNs / end, 0, 1);
      const title =
        there.length <= MOST_TOLD
          ? there.map((edit) => `${sayEdit(edit)} at ${clock(edit.atNs)}`).join('; ')
          : `${count(there.length)} edits from ${clock(first.atNs)} to ${clock(last.atNs)}`;
      return [{ part, title }];
    })
    .sort((a, b) => a.part - b.part);
}
