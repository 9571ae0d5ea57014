import type { LinkView } from '../../link/view';
import type { Position } from '../../sim/protocol';

/** A scenario to open, and the time at which it opens; null: a moment worth looking at. */
export interface Given {
  readonly scenario: unknown;
  readonly baseId: string;
  readonly t: number | null;
  readonly position?: Position | null;
}

/** How a scenario was shown when it was opened, before the user played it. */
export interface Opened {
  readonly atNs: number;
  readonly view: LinkView;
}
