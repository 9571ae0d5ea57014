/** A worker of the page. Its name says what it serves: whole runs, lessons, or else the stage. */
import { loaded } from './core-start';
import { LESSONS } from './lesson/protocol';
import { serveLessons } from './lesson/serve';
import { serveStage } from './serve';
import { RUNS } from './sweep/protocol';
import { serveRuns } from './sweep/serve';

if (self.name === RUNS) serveRuns(loaded);
else if (self.name === LESSONS) serveLessons(loaded);
else serveStage(loaded);
