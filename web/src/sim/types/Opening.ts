// Generated from the core; do not edit.
import type { Later } from "./Later";
import type { MomentKind } from "./MomentKind";
import type { Tab } from "./Tab";

/**
 * The time at which the page opens the run, and the view. The page chooses what is left out.
 */
export type Opening = {
/**
 * Simulated time to open at. Not together with `moment`.
 */
atNs?: number,
/**
 * Opens shortly before the first moment of this kind. Not together with `atNs`.
 */
moment?: MomentKind,
/**
 * Simulated ns in a second of real time.
 */
speed?: number,
/**
 * A higher speed after the first moment has been shown. It ends when the user changes the speed.
 */
later?: Later,
/**
 * Length of time that the timeline shows.
 */
windowNs?: number,
/**
 * The tab of the timeline.
 */
tab?: Tab,
/**
 * Name of the thread that is selected.
 */
select?: string, };
