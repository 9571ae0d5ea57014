/**
 * The worker of the page as one file, in which the simulation's package shall be only once: it serves the stage or, if its
 * name says so, whole runs. Lessons have a package and a worker of their own.
 */
import { RUNS } from './sweep/protocol';
import { serveRuns } from './sweep/serve';
import { loaded } from './core-start';
import './worker';

if (self.name === RUNS) serveRuns(loaded);
