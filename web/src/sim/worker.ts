/** A worker of the page. Its name says what it serves: whole runs, lessons, a trace, or else the stage. */
import { loaded } from './core-start';
import { LESSONS } from './lesson/protocol';
import { serveLessons } from './lesson/serve';
import { serveStage } from './serve';
import { RUNS } from './sweep/protocol';
import { serveRuns } from './sweep/serve';
import { TRACES } from './trace-file/protocol';
import { serveTraces } from './trace-file/serve';

if (self.name === RUNS) serveRuns(loaded);
else if (self.name === LESSONS) serveLessons(loaded);
else if (self.name === TRACES) serveTraces(loaded);
else serveStage(loaded);
