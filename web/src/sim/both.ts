/**
 * The worker of the page as one file, in which the core shall be only once: it serves the stage or, if its name says so,
 * whole runs or a lesson.
 */
import { LESSON } from './lesson/protocol';
import { serveLessons } from './lesson/serve';
import { RUNS } from './sweep/protocol';
import { serveRuns } from './sweep/serve';
import { loaded } from './core-start';
import './worker';

if (self.name === RUNS) serveRuns(loaded);
else if (self.name === LESSON) serveLessons(loaded);
