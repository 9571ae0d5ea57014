/** A piece of work: what the browser keeps under one name, and what it was made from. */
import { newId } from '../../storage/claim';
import type { LinkView } from '../../link/view';
import type { Scenario } from '../../sim/types/Scenario';

/** The scenario that a piece of work was made from. */
export interface PieceOrigin {
  readonly name: string;
  readonly scenario: Scenario | null;
  /** It is not a shipped scenario, and is not kept beside the work yet. */
  readonly isUnkept: boolean;
}

/**
 * See the module comment. Undo and redo carry it with each scenario, so that edits are never written into the work of
 * another one.
 */
export class Piece {
  /** Name under which this browser keeps it. */
  id = $state(newId());
  /** Name that the person gave it; empty if none. */
  title = $state('');
  origin: PieceOrigin = { name: '', scenario: null, isUnkept: false };
  /** Its scenario as it was opened or written last. */
  kept: Scenario | null = null;
  /** It is the run of a lesson, which keeps its answers: the run is not the user's work. */
  isLesson = false;
  /** What the page showed of it when it was left: undo and redo show it again. */
  view: LinkView = {};
}
