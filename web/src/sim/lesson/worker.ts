/** The worker of a lesson. */
import init from '../pkg/sim_wasm';
import { serveLessons } from './serve';

serveLessons(init());
