/** A worker of the pool. */
import init from '../pkg/sim_wasm';
import { serveRuns } from './serve';

serveRuns(init());
