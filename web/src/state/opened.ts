import type { LinkView } from '../link/view';

/** How a scenario was shown when it was opened, before the user played it. */
export interface Opened {
  readonly atNs: number;
  readonly view: LinkView;
}
