/** A worker of the pool. */
import { loaded } from '../core-start';
import { serveRuns } from './serve';

serveRuns(loaded);
