/**
 * The worker of the page as a single file, so that the simulation's package is in it only once. It serves the stage
 * or, if its name says so, whole runs. Lessons have their own package and worker.
 */
import { RUNS } from './sweep/protocol';
import { serveRuns } from './sweep/serve';
import { loaded } from './core-start';
import './worker';

if (self.name === RUNS) serveRuns(loaded);
