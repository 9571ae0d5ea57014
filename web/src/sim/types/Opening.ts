// Generated from the core; do not edit.
import type { Later } from "./Later";
import type { MomentKind } from "./MomentKind";
import type { Tab } from "./Tab";

/**
 * Where the page opens the run, and how it looks there. What is left out, the page chooses.
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
 * A higher speed once what is shown first has been seen. Ends with any change of the speed by hand.
 */
later?: Later,
/**
 * How much time the timeline shows.
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
